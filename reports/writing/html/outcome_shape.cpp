#include "reports/writing/html/outcome_shape.hpp"

#include "reports/reading/plain_text.hpp"
#include "reports/writing/outcome_marks.hpp"

namespace peerproof::html {

std::string_view shape_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered:
            return "through";
        case Outcome::illegal_address:
        case Outcome::refused:
            return "closed";
        case Outcome::missing:
        case Outcome::wrong:
            return "lost";
        case Outcome::hung:
        case Outcome::crashed:
        case Outcome::unkillable:
            return "dead";
        case Outcome::inconclusive:
        case Outcome::other_path:
        case Outcome::not_started:
            return "unsure";
        case Outcome::not_applicable:
            return "none";
    }
    return "none";
}

Markup mark(Outcome outcome, char delivered) {
    return compose("<i class=\"mark {}\">{}</i>", text(shape_of(outcome)),
                   text(std::string(1, mark_of(outcome, delivered))));
}

Markup mark(const Ledger::Entry* entry, char delivered) {
    if (entry == nullptr || entry->record == nullptr)
        return compose("<i class=\"mark none\">{}</i>", text(std::string(1, no_record_mark)));
    return mark(entry->record->outcome, delivered);
}

std::string words(Outcome outcome) { return spaced(to_string(outcome)); }

std::string words(const Ledger::Entry* entry) {
    if (entry == nullptr) return "not planned";
    if (entry->record == nullptr) return entry->started ? "not finished" : "no record";
    return words(entry->record->outcome);
}

}  // namespace peerproof::html
