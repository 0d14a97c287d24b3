# The list of tests, made anew at every start of ctest, so that it is the list of today's machine. Included from
# the CTestTestfile.cmake of a folder with bin/, lib/simulated/ and benches/: a build tree or an installed one.
#
# `conformance --emit-ctest` prints the list; here is only what must be known before it can run. Whatever goes wrong
# becomes one failing test with the reason as its output. Nothing may end as an empty list, which ctest calls passed.
cmake_policy(VERSION 3.25)

# `text` is the name of a variable. Where the session could have its folder, the test makes it, with reports that say
# why there is no verdict: a CI that reads them must not find those of an earlier session. The output ends like that of
# the verdict, which cannot run here.
function(peerproof_not_listed text)
    string(STRIP "${${text}}" reason)
    string(REGEX REPLACE "\n.*" "" first_line "${reason}")
    set(session_folder "")
    if(out AND session MATCHES "^[A-Za-z0-9_-]+$" AND NOT EXISTS "${out}/${session}")
        set(session_folder "${out}/${session}")
    endif()
    add_test(bench.could_not_be_listed /bin/sh -c [[
        printf '%s\n' "$1"
        [ -z "$4" ] || "$3" verdict "$4" --session "${4##*/}" --not-listed "$2" >/dev/null 2>&1
        printf '%s\n' 'verdict: no_verdict' "reason: $2"
        exit 75]]
        sh "${reason}" "${first_line}" "${here}/bin/peerproof-report" "${session_folder}")
    set_tests_properties(bench.could_not_be_listed PROPERTIES TIMEOUT 30)
endfunction()

# A relative path of the environment is meant from where the person stands; ctest has changed the folder.
function(peerproof_absolute path result)
    set(from "$ENV{PWD}")
    if(NOT IS_DIRECTORY "${from}")
        set(from "${here}")
    endif()
    get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${from}")
    set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

# The .toml file of PEERPROOF_BENCH, or a `trouble`.
function(peerproof_find_bench asked)
    if(asked MATCHES "\\.toml$")
        peerproof_absolute("${asked}" bench)
        if(EXISTS "${bench}" AND NOT IS_DIRECTORY "${bench}")
            set(bench "${bench}" PARENT_SCOPE)
            return()
        endif()
        set(trouble "PEERPROOF_BENCH: there is no file ${bench}")
    else()
        if(asked MATCHES "^[A-Za-z0-9_.+-]+$" AND EXISTS "${here}/benches/${asked}.toml")
            set(bench "${here}/benches/${asked}.toml" PARENT_SCOPE)
            return()
        endif()
        execute_process(COMMAND /bin/sh -c [[cd "$1/benches" && ls | sed -n 's/\.toml$//p' | awk -v wanted="$2" -f "$1/nearest.awk"]]
            sh "${here}" "${asked}" OUTPUT_VARIABLE names ERROR_VARIABLE ignored)
        string(STRIP "${names}" names)
        string(REPLACE "\n" ", " names "${names}")
        set(trouble "PEERPROOF_BENCH: there is no simulated bench '${asked}'. Nearest are: ${names}")
    endif()
    set(trouble "${trouble}" PARENT_SCOPE)
endfunction()

# Whether sessions can be made below `out`: asked of the nearest folder that exists, and nothing is made.
function(peerproof_check_out out)
    set(nearest "${out}")
    while(NOT EXISTS "${nearest}" AND NOT nearest STREQUAL "/")
        get_filename_component(nearest "${nearest}" DIRECTORY)
    endwhile()
    if(NOT IS_DIRECTORY "${nearest}")
        set(trouble "the folder of the sessions ${out} cannot be made: ${nearest} is not a folder" PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND test -w "${nearest}" RESULT_VARIABLE not_writable)
    if(not_writable)
        set(trouble "the folder of the sessions ${out} cannot be written: ${nearest} is not writable" PARENT_SCOPE)
    endif()
endfunction()

# Where this list and its session go, and in which environment it is made: sets out, session, deadline, environment.
function(peerproof_settings)
    set(out "${here}/runs")
    if(NOT "$ENV{PEERPROOF_OUT}" STREQUAL "")
        peerproof_absolute("$ENV{PEERPROOF_OUT}" out)
    endif()
    peerproof_check_out("${out}")
    if(here MATCHES "\\\\")
        set(trouble "ctest runs no program in a folder with a backslash in its name (${here})")
    endif()
    if(DEFINED ENV{PEERPROOF_SESSION})
        set(session "$ENV{PEERPROOF_SESSION}")
    else()
        string(TIMESTAMP now "%Y%m%dT%H%M%SZ" UTC)
        string(RANDOM LENGTH 6 ALPHABET 0123456789abcdef random)
        set(session "${now}-${random}")
    endif()
    set(deadline 60)
    if("$ENV{PEERPROOF_DEADLINE}" MATCHES "^[1-9][0-9]?$" AND "$ENV{PEERPROOF_DEADLINE}" LESS 60)
        set(deadline "$ENV{PEERPROOF_DEADLINE}")
    endif()
    # A list leaves no state behind; each session has a folder for that of a simulated bench.
    set(environment -u PEERPROOF_SIMULATED_STATE CUDA_DEVICE_ORDER=PCI_BUS_ID)
    if(NOT "$ENV{PEERPROOF_EXPECT}" MATCHES "^(open|locked)?$")  # a file
        peerproof_absolute("$ENV{PEERPROOF_EXPECT}" baseline)
        if(EXISTS "${baseline}")
            set(ENV{PEERPROOF_EXPECT} "${baseline}")  # as it is: a list would part it at semicolons
        endif()
    endif()
    if(DEFINED ENV{PEERPROOF_BENCH})
        peerproof_find_bench("$ENV{PEERPROOF_BENCH}")
        # The loader takes both as separators; CMake gives brackets a meaning in lists.
        if("${here}${out}${bench}" MATCHES "[]:;[]")
            set(trouble "a simulated bench cannot be used in a folder with : ; [ or ] in its name (${here}, ${out}, ${bench})")
        endif()
        set(libraries "${here}/lib/simulated")
        if(NOT "$ENV{LD_LIBRARY_PATH}" STREQUAL "")
            string(REPLACE ";" ":" inherited "$ENV{LD_LIBRARY_PATH}")
            string(APPEND libraries ":${inherited}")
        endif()
        # Its links must be there for the list: they say which measurements may run side by side.
        list(APPEND environment "PEERPROOF_BENCH=${bench}" "LD_LIBRARY_PATH=${libraries}" "PEERPROOF_SYSFS=${private}/sys")
    endif()
    foreach(name out session deadline environment trouble)
        set(${name} "${${name}}" PARENT_SCOPE)
    endforeach()
endfunction()

function(peerproof_list)
    set(trouble "")
    peerproof_settings()
    if(trouble)
        peerproof_not_listed(trouble)
        return()
    endif()
    execute_process(
        COMMAND /usr/bin/env ${environment} "${here}/bin/supervise" --deadline ${deadline} --
            "${here}/bin/conformance" --emit-ctest "${private}/tests.cmake" --session "${session}" --out "${out}"
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result STREQUAL "0" AND EXISTS "${private}/tests.cmake")
        # The environment of ctest itself: `concluded` asks after the tests whether this session has its verdict.
        set(ENV{PEERPROOF_OUT} "${out}")
        set(ENV{PEERPROOF_SESSION} "${session}")
        include("${private}/tests.cmake")
        return()
    endif()
    string(STRIP "${output}" output)
    if(output STREQUAL "")
        set(output "the bench could not be listed, and nothing was said about it")
    endif()
    string(APPEND output "\n(${here}/bin/conformance --emit-ctest ended with ${result})")
    peerproof_not_listed(output)
endfunction()

# CMAKE_CURRENT_LIST_DIR is empty in an installed folder, and file(REAL_PATH ".") is on CTest 4.4.
execute_process(COMMAND pwd -P OUTPUT_VARIABLE here)
string(REGEX REPLACE "\n$" "" here "${here}")
# CTest starts what failed the last time first. Where the opening of the session then fails, CTest 3.25 under -j never
# comes back to those tests: they are neither run nor listed as not run, and the verdict may be among them.
file(REMOVE "${here}/Testing/Temporary/CTestCostData.txt")

execute_process(COMMAND mktemp -d -t peerproof.XXXXXX RESULT_VARIABLE no_folder OUTPUT_VARIABLE private
    ERROR_VARIABLE why OUTPUT_STRIP_TRAILING_WHITESPACE)
if(no_folder)
    string(PREPEND why "no private folder for the list: ")
    peerproof_not_listed(why)
else()
    peerproof_list()
    file(REMOVE_RECURSE "${private}")
endif()
