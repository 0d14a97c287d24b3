# What session/settings.cpp says of the PEERPROOF_ variables, before there is a program that could: sourced by
# ctest/bench, which has set extglob. unit.environment holds both to the same answers, word by word.

# "a, b, c": those of the names on standard input that are nearest
nearest_to() { awk -v wanted="$1" -f "${BASH_SOURCE[0]%/*}/nearest.awk" | paste -sd , | sed 's/,/, /g'; }

# text, least, most: as std::from_chars reads it
is_whole_number() {
    [[ $1 =~ ^0*([0-9]{1,5})$ ]] && [ "${BASH_REMATCH[1]}" -ge "$2" ] && [ "${BASH_REMATCH[1]}" -le "$3" ]
}

is_expectation() {
    [[ $1 == open || $1 == locked || -d $1 ]] || { [[ ${1##*/} == ?*.@(json|toml) ]] && [ -e "$1" ]; }
}

# As session/soak.cpp reads it: 1 s to 7 days.
is_duration() {
    local most
    case $1 in
        *s) most=604800 ;;
        *m) most=10080 ;;
        *h) most=168 ;;
        *d) most=7 ;;
        *) return 1 ;;
    esac
    [[ ${1%?} =~ ^0*([0-9]{1,6})$ ]] && [ "${BASH_REMATCH[1]}" -ge 1 ] && [ "${BASH_REMATCH[1]}" -le "$most" ]
}

all_ways=ipc,vmm,pool,graph,atomics,order,widths

is_list_of_ways() {
    local rest=$1, name seen=,
    while [ -n "$rest" ]; do  # each with the comma behind it
        name=${rest%%,*} rest=${rest#*,}
        [[ $name =~ ^[a-z]+$ && ,$all_ways, == *,$name,* && $seen != *,$name,* ]] || return 1
        seen+=$name,
    done
}

# None of them left out by PEERPROOF_WAYS, as far as that can be read.
ways_are_taken() {
    local taken=${given[PEERPROOF_WAYS]-on} name
    [ "$taken" != off ] || return 1
    is_list_of_ways "$taken" || return 0
    for name in ${1//,/ }; do
        [[ ,$taken, == *,$name,* ]] || return 1
    done
}

# Every variable with what it may be, and whether $value is; in the order of settings.cpp.
check_variable() {
    local value=$2
    case $1 in
        PEERPROOF_BENCH) allowed='the name of a simulated bench or a .toml file'; [ -n "$value" ] ;;
        PEERPROOF_EXPECT)
            allowed="open, locked, or a file that exists: a report.json, a .toml, a session's folder"
            is_expectation "$value"
            ;;
        PEERPROOF_GPUS) allowed='a number of GPUs from 2 to 64'; is_whole_number "$value" 2 64 ;;
        PEERPROOF_OUT) allowed='a folder'; [ -n "$value" ] ;;
        PEERPROOF_MEASUREMENTS) allowed='full, brief or off'; [[ $value == @(full|brief|off) ]] ;;
        PEERPROOF_LARGE_MIB) allowed='MiB from 1 to 4096'; is_whole_number "$value" 1 4096 ;;
        PEERPROOF_COLLECTIVE) allowed='on or off'; [[ $value == @(on|off) ]] ;;
        PEERPROOF_WAYS)
            allowed="on, off, or some of $all_ways, each once"
            [[ $value == @(on|off) ]] || is_list_of_ways "$value"
            ;;
        PEERPROOF_REQUIRE)
            allowed="some of $all_ways, each once, that PEERPROOF_WAYS takes, where no locked bench is expected"
            is_list_of_ways "$value" && ways_are_taken "$value" && [ -z "${given[PEERPROOF_SELF_CHECK]+set}" ] &&
                [ "${given[PEERPROOF_EXPECT]-open}" != locked ]
            ;;
        PEERPROOF_CROWD)
            allowed='on, off, or seconds from 1 to 600'
            [[ $value == @(on|off) ]] || is_whole_number "$value" 1 600
            ;;
        PEERPROOF_SOAK)
            allowed='a duration from 1s to 7d: a whole number and s, m, h or d, as in 90s, 10m, 2h or 1d'
            is_duration "$value"
            ;;
        PEERPROOF_SYSFS) allowed='the folder where sysfs is mounted'; [ -n "$value" ] ;;
        PEERPROOF_DEADLINE) allowed='seconds from 1 to 3600'; is_whole_number "$value" 1 3600 ;;
        PEERPROOF_SESSION) allowed='1 to 64 of [A-Za-z0-9_-]'; [[ $value =~ ^[A-Za-z0-9_-]{1,64}$ ]] ;;
        PEERPROOF_SELF_CHECK)
            allowed='locked, and PEERPROOF_EXPECT nothing else'
            [ "$value" = locked ] && [ "${given[PEERPROOF_EXPECT]-locked}" = locked ]
            ;;
    esac
}

# What is wrong with the environment, in the words of settings.cpp; nothing where nothing is.
environment_trouble() {
    local LC_ALL=C entry name allowed wrong=() variables known='BENCH EXPECT GPUS OUT DEADLINE SESSION SELF_CHECK MEASUREMENTS COLLECTIVE'
    known+=' WAYS REQUIRE CROWD SOAK LARGE_MIB SYSFS'
    local -A given=()
    # Not bash's own list: it leaves out names that no shell could have.
    while IFS= read -r -d '' entry; do
        [[ $entry != PEERPROOF_*=* ]] || given[${entry%%=*}]=${entry#*=}
    done < <(env -0)
    if [ -n "${given[PEERPROOF_FIGURES]+set}" ]; then  # its earlier name
        if [ -n "${given[PEERPROOF_MEASUREMENTS]+set}" ]; then
            wrong+=('PEERPROOF_FIGURES: is the earlier name of PEERPROOF_MEASUREMENTS, which is set too')
        else
            given[PEERPROOF_MEASUREMENTS]=${given[PEERPROOF_FIGURES]}
        fi
        unset 'given[PEERPROOF_FIGURES]'
    fi
    variables='BENCH EXPECT GPUS OUT MEASUREMENTS LARGE_MIB COLLECTIVE WAYS REQUIRE CROWD SOAK SYSFS DEADLINE SESSION SELF_CHECK'
    for name in $variables; do
        name=PEERPROOF_$name
        [ -n "${given[$name]+set}" ] || continue
        check_variable "$name" "${given[$name]}" || wrong+=("$name='${given[$name]}': must be $allowed")
    done
    for name in $variables SIMULATED_STATE; do  # the last is set by our own CTest script
        unset "given[PEERPROOF_$name]"
    done
    while IFS= read -r -d '' name; do
        wrong+=("$name: unknown variable (nearest are $(printf 'PEERPROOF_%s\n' $known | nearest_to "$name"))")
    done < <([ ${#given[@]} -eq 0 ] || printf '%s\0' "${!given[@]}" | sort -z)
    [ ${#wrong[@]} -eq 0 ] || { printf 'environment: %s' "${wrong[0]}"; [ ${#wrong[@]} -eq 1 ] || printf '; %s' "${wrong[@]:1}"; }
}
