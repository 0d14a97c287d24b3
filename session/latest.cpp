#include "session/latest.hpp"

#include <unistd.h>

#include "session/format.hpp"

namespace peerproof {

void point_latest_at(const std::filesystem::path& session_folder) {
    namespace fs = std::filesystem;
    const fs::path out = session_folder.parent_path();
    const fs::path made = out / format(".latest.tmp.{}", ::getpid());
    fs::remove(made);
    fs::create_symlink(session_folder.filename(), made);
    fs::rename(made, out / "latest");
}

}  // namespace peerproof
