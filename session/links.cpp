#include "session/links.hpp"

#include "session/json.hpp"

namespace peerproof {
namespace {

constexpr std::size_t hop_text_limit = 512;

std::optional<double> positive(const Member& json, const char* key) {
    if (json.is_null(key)) return std::nullopt;
    const double value = json.number(key);
    if (!(value > 0) || value > 1e6) json.at(key).fail("must be null or a number above 0");
    return value;
}

std::optional<int> lanes(const Member& json, const char* key) {
    if (json.is_null(key)) return std::nullopt;
    return static_cast<int>(json.integer(key, 1, 64));
}

Hop hop_from(const Member& json) {
    return {.device = json.string("device"),
            .kind = json.string("kind"),
            .speed = positive(json, "gt_per_s"),
            .max_speed = positive(json, "max_gt_per_s"),
            .lanes = lanes(json, "lanes"),
            .max_lanes = lanes(json, "max_lanes"),
            .unknown = json.string("unknown"),
            .source = json.string("source")};
}

NvLink nvlink_from(const Member& json) {
    NvLink link{.link = static_cast<int>(json.integer("link", 0, 1023)),
                .active = json.boolean("active"),
                .mb_per_s = json.number("mb_per_s"),
                .remote = json.string("remote"),
                .remote_kind = json.string("remote_kind")};
    if (link.mb_per_s < 0) json.at("mb_per_s").fail("must not be below 0");
    return link;
}

}  // namespace

nlohmann::json to_json(const Hop& hop) {
    return {{"device", printable(hop.device, hop_text_limit)},
            {"kind", printable(hop.kind, hop_text_limit)},
            {"gt_per_s", or_null(hop.speed)},
            {"max_gt_per_s", or_null(hop.max_speed)},
            {"lanes", or_null(hop.lanes)},
            {"max_lanes", or_null(hop.max_lanes)},
            {"unknown", printable(hop.unknown, hop_text_limit)},
            {"source", printable(hop.source, hop_text_limit)}};
}

nlohmann::json to_json(const GpuLinks& gpu) {
    nlohmann::json hops = nlohmann::json::array(), nvlinks = nlohmann::json::array();
    for (const Hop& hop : gpu.hops) hops.push_back(to_json(hop));
    for (const NvLink& link : gpu.nvlinks) {
        nvlinks.push_back({{"link", link.link},
                           {"active", link.active},
                           {"mb_per_s", link.mb_per_s},
                           {"remote", printable(link.remote, hop_text_limit)},
                           {"remote_kind", printable(link.remote_kind, hop_text_limit)}});
    }
    return {{"gpu", gpu.gpu},
            {"hops", hops},
            {"root", printable(gpu.root, hop_text_limit)},
            {"unknown", printable(gpu.unknown, hop_text_limit)},
            {"nvlinks", nvlinks},
            {"nvlink_unknown", printable(gpu.nvlink_unknown, hop_text_limit)},
            {"nvlink_source", printable(gpu.nvlink_source, hop_text_limit)},
            {"host_link", printable(gpu.host_link, hop_text_limit)}};
}

nlohmann::json to_json(const LinkUnderLoad& link) {
    nlohmann::json json = to_json(link.hop);
    json["gpu"] = link.gpu;
    return json;
}

GpuLinks gpu_links_from(const Member& json, bool is_of_version_2) {
    GpuLinks gpu;
    gpu.gpu = static_cast<int>(json.integer("gpu", 0, 1023));
    for (const Member& hop : json.list("hops")) gpu.hops.push_back(hop_from(hop));
    gpu.root = json.string("root");
    gpu.unknown = json.string("unknown");
    for (const Member& link : json.list("nvlinks")) gpu.nvlinks.push_back(nvlink_from(link));
    gpu.nvlink_unknown = json.string("nvlink_unknown");
    gpu.nvlink_source = json.string("nvlink_source");
    if (!is_of_version_2) gpu.host_link = json.string("host_link");
    return gpu;
}

LinkUnderLoad link_under_load_from(const Member& json) {
    return {static_cast<int>(json.integer("gpu", 0, 1023)), hop_from(json)};
}

}  // namespace peerproof
