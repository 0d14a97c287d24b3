#include "simulator/where.hpp"

#include "simulator/context.hpp"
#include "simulator/mappings.hpp"

namespace peerproof::simulated {

Where Where::at(std::uint64_t bytes) const {
    Where there = *this;
    there.offset += bytes;
    there.rest -= bytes;
    return there;
}

Where where_is(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    Where where;
    if (address >= device_base && address < device_base + region_count * gpu_span) {
        const std::uint64_t place = address - device_base;
        where.region = static_cast<int>(place / gpu_span);
        where.offset = place % gpu_span;
        const auto found = the_machine().allocation(where.region, where.offset);
        if (found && is_plain(found->number)) where.rest = found->offset + found->bytes - where.offset;
    } else if (address >= mapped_base && address < mapped_base + mapped_span) {
        where.region = 0;  // of a GPU, whichever, where nothing is mapped
        const Mapping* mapping = the_mappings().find(address);
        if (mapping == nullptr) return where;
        const std::uint64_t into = address - mapping->at;
        where.region = mapping->gpu;
        where.offset = mapping->offset + into;
        where.file = mapping->file;
        where.mapped = MappedAs{mapping->way, mapping->file != 0};
        where.readable = mapping->readable;
        if (mapping->way == Way::ipc || where.readable != 0) where.rest = mapping->bytes - into;
    }
    return where;
}

bool holds(const Where& where, std::uint64_t bytes) { return where.region == -1 || bytes <= where.rest; }

void* pointer_to(int region, std::uint64_t offset) {
    return reinterpret_cast<void*>(device_base + place_of(region) + offset);
}

bool reaches(int gpu, const Where& memory) {
    if (memory.mapped && memory.mapped->way != Way::ipc) return (memory.readable >> gpu & 1) != 0;
    return gpu == memory.region || is_enabled(gpu, memory.region);
}

}  // namespace peerproof::simulated
