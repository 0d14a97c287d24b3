// What a result is bound to: the GPUs, the driver, the kernel, the boot, NCCL. A result of another
// fingerprint says nothing for sure of this bench.
//
//   const Fingerprint here = fingerprint_of(plan);
//   code_of(here)              // "9f1c03d2a4b75e60": for the eye; equal codes, equal fingerprints
//   differences(there, here)   // {"kernel: 6.1.0 there, 6.12.0 here"}
//
// What nobody could read ("" or no entry) is compared like any other value: it is a difference where only one
// of the two knows it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/plan.hpp"

namespace peerproof {

using Fingerprint = std::map<std::string, std::string>;  // "gpus", "driver", "kernel", "boot_id", "nccl"

Fingerprint fingerprint_of(const Plan&);
std::string code_of(const Fingerprint&);  // 16 hexadecimal digits
std::vector<std::string> differences(const Fingerprint& there, const Fingerprint& here);

}  // namespace peerproof
