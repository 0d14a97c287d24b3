// What session/settings.cpp says of the environment: nothing and 0, or the trouble and 64.
#include <unistd.h>

#include <iostream>

#include "session/exit_code.hpp"
#include "session/settings.hpp"

int main() {
    try {
        (void)peerproof::settings_from(environ);
    } catch (const peerproof::UsageError& trouble) {
        std::cout << trouble.what();
        return peerproof::exit_usage;
    }
    return peerproof::exit_held;
}
