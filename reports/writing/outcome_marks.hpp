// One character for each outcome, the same in every report that draws a matrix.
//
//   mark_of(Outcome::delivered, 'c')  -> 'c', the initial of the check
//   mark_of(Outcome::missing, 'c')    -> '0'
#pragma once

#include "session/words.hpp"

namespace peerproof {

inline constexpr char no_record_mark = '_';

constexpr char mark_of(Outcome outcome, char delivered) {
    switch (outcome) {
        case Outcome::delivered:
            return delivered;
        case Outcome::illegal_address:
            return '-';
        case Outcome::refused:
            return '~';
        case Outcome::missing:
            return '0';
        case Outcome::wrong:
            return '!';
        case Outcome::hung:
            return 'H';
        case Outcome::crashed:
            return '#';
        case Outcome::unkillable:
            return 'K';
        case Outcome::inconclusive:
            return '?';
        case Outcome::other_path:
            return '/';
        case Outcome::not_started:
            return 'n';
        case Outcome::not_applicable:
            return '=';
    }
    return no_record_mark;
}

}  // namespace peerproof
