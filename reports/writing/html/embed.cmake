# Writes the files of this folder as C++: cmake -DOUT=assets.cpp -DFILES="page.css;report.js" -P embed.cmake
set(code "// Written by embed.cmake from the files beside it.\n#include \"reports/writing/html/assets.hpp\"\n\nnamespace peerproof::html {\n")
foreach(name IN LISTS FILES)
    # Brackets and semicolons would be taken for a list by string(APPEND) without quotes.
    file(READ "${CMAKE_CURRENT_LIST_DIR}/${name}" text)
    string(SHA256 hash "${text}")
    string(REPLACE "." "_" symbol "${name}")
    string(APPEND code "\nconst Asset ${symbol}{R\"asset(${text})asset\", \"${hash}\"};\n")
endforeach()
string(APPEND code "\n}  // namespace peerproof::html\n")
file(WRITE "${OUT}" "${code}")
