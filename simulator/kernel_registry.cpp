#include "simulator/kernel_registry.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace peerproof::simulated {
namespace {

// Registered before main by objects of other files: hence no object of its own to construct first.
const Registration* first = nullptr;

std::string demangled(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 ? text : name;
    std::free(text);
    return result;
}

// "... [with auto Function = peerproof::kernels::fill]" or "... [Function = &peerproof::kernels::fill]"
std::string qualified_name(const char* spelled) {
    std::string text = spelled;
    text.erase(0, text.find("Function = ") + std::strlen("Function = "));
    text.erase(text.rfind(']'));
    std::erase_if(text, [](char c) { return c == '&' || c == '(' || c == ')' || c == ' '; });
    return text;
}

}  // namespace

Registration::Registration(const Kernel& registered) : kernel(registered), next(first) {
    if (find_kernel(kernel.name) != nullptr) {
        std::fprintf(stderr, "peerproof simulated bench: two kernels are named %s\n", kernel.name);
        std::abort();
    }
    first = this;
}

const Kernel* find_kernel(const char* name) {
    for (const Registration* each = first; each != nullptr; each = each->next) {
        if (std::strcmp(each->kernel.name, name) == 0) return &each->kernel;
    }
    return nullptr;
}

const Kernel* find_kernel_of_nvcc(const char* mangled) {
    const std::string wanted = demangled(mangled);
    for (const Registration* each = first; each != nullptr; each = each->next) {
        // "void (unsigned long*, int)" without its result, after the name: as the demangler writes a
        // function.
        const std::string type = demangled(each->kernel.function->name());
        if (qualified_name(each->kernel.spelled) + type.substr(type.find('(')) == wanted)
            return &each->kernel;
    }
    return nullptr;
}

}  // namespace peerproof::simulated
