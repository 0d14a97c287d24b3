# Settings that every target of the house shares, and the libraries it stands on.

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# A simulated bench is a libcudart of ours: the runtime must be the shared one.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# The build tree has the layout of the installed folder, so that CTest files and self-tests see one layout only.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(PEERPROOF_SIMULATED_DIR "lib/simulated")
set(PEERPROOF_BENCHES_DIR "benches")

if(NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda/bin)
endif()
if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "nvcc was not found: install the CUDA toolkit (13.0 or newer), or set CUDA_HOME")
endif()
enable_language(CUDA)
# Kernel files and what they include are C++17: CMake 3.25 knows no later standard for nvcc 13.
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
find_package(CUDAToolkit 13.0 REQUIRED)
find_package(Threads REQUIRED)
# Without it everything but the collective is built, and the verdict says so.
find_path(PEERPROOF_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV NCCL_HOME PATH_SUFFIXES include)
find_library(PEERPROOF_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ENV NCCL_HOME PATH_SUFFIXES lib lib64)
if(PEERPROOF_NCCL_INCLUDE AND PEERPROOF_NCCL_LIBRARY)
    add_library(peerproof_nccl INTERFACE)
    target_include_directories(peerproof_nccl SYSTEM INTERFACE "${PEERPROOF_NCCL_INCLUDE}")
    target_link_libraries(peerproof_nccl INTERFACE "${PEERPROOF_NCCL_LIBRARY}" CUDA::cudart)
endif()
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)

set(peerproof_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers)  # members have defaults; designated initialisers name the others
if(PEERPROOF_WERROR)
    list(APPEND peerproof_warnings -Werror)
endif()

add_library(peerproof_options INTERFACE)
target_include_directories(peerproof_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(peerproof_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${peerproof_warnings}>")
target_compile_definitions(peerproof_options INTERFACE PEERPROOF_VERSION="${PROJECT_VERSION}")
if(PEERPROOF_SANITIZE)
    target_compile_options(peerproof_options INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PEERPROOF_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
    target_link_options(peerproof_options INTERFACE -fsanitize=${PEERPROOF_SANITIZE})
endif()

# CLI11 is long to optimise and runs once a process, before anything that counts. Not -O0: what these files instantiate of the
# standard library is linked once, and all the program has it.
function(peerproof_optimised_less)
    if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
        # What is precompiled is so for one level only.
        set_source_files_properties(${ARGV} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# What nearly every file includes is parsed once, for all libraries and programs of these folders and those below. The
# presets with sanitizers go without, so that no file forgets an include.
function(peerproof_precompile)
    if(NOT TARGET peerproof_precompiled)
        file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/precompiled.cpp" CONTENT "" @ONLY)
        add_library(peerproof_precompiled STATIC "${CMAKE_BINARY_DIR}/precompiled.cpp")
        target_link_libraries(peerproof_precompiled PRIVATE peerproof_options peerproof_fmt nlohmann_json::nlohmann_json GTest::gtest)
        target_precompile_headers(peerproof_precompiled PRIVATE <gtest/gtest.h> <fmt/core.h> <nlohmann/json.hpp>
            <algorithm> <filesystem> <fstream> <functional> <map> <optional> <set> <sstream> <string> <vector>)
        if(PEERPROOF_SELFTESTS)
            target_precompile_headers(peerproof_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/print_json.hpp")
        endif()
    endif()
    foreach(folder IN LISTS ARGV)
        get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
        foreach(target IN LISTS targets)
            get_target_property(type ${target} TYPE)
            # The simulator is not compiled with the house's options.
            if(NOT type MATCHES "^(STATIC_LIBRARY|OBJECT_LIBRARY|EXECUTABLE)$" OR target MATCHES "^simulated")
                continue()
            endif()
            if(type STREQUAL "EXECUTABLE")  # what is precompiled is, as the libraries are, -fPIC
                set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
                target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fPIC>")
            endif()
            # GoogleTest's headers are among them, and must be meant alike by all.
            target_compile_options(${target} PRIVATE "$<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>")
            target_compile_definitions(${target} PRIVATE "$<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_DEFINITIONS>")
            target_precompile_headers(${target} REUSE_FROM peerproof_precompiled)
        endforeach()
        get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
        peerproof_precompile(${below})
    endforeach()
endfunction()
