# Packages of the installed folder: peerproof_VERSION_amd64.deb and a .tar.gz, by `cpack --preset bench` or `cpack` in a
# build folder. Both hold one folder that runs where it is, and where it is copied to.
set(CPACK_PACKAGE_NAME peerproof)
set(CPACK_PACKAGE_VENDOR peerproof)
set(CPACK_PACKAGE_CONTACT "the peerproof team <peerproof@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/peerproof)
set(CPACK_STRIP_FILES ON)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packaging builds nothing
# CTest is in Debian's package cmake. The CUDA runtime and NCCL come from the maker of the GPUs and have many names.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "cmake (>= 3.25), libc6 (>= 2.36), libstdc++6 (>= 12)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cuda-cudart-13-0, libnccl2")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
