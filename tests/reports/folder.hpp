// A session folder on disk that a test may spoil.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/reports/sample_session.hpp"

namespace peerproof {

class Folder {
  public:
    Folder() {
        char name[] = "/tmp/report folder XXXXXX";  // with spaces, as people have them
        if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
        root_ = name;
        path = root_ / "session";
    }
    explicit Folder(const Session& session) : Folder() { sample::write(session, path); }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path record(const std::string& id) const { return path / "records" / (id + ".json"); }

    static void put(const std::filesystem::path& file, const std::string& text) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    static std::string get(const std::filesystem::path& file) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }

    std::filesystem::path path;  // of the session

  private:
    std::filesystem::path root_;
};

}  // namespace peerproof
