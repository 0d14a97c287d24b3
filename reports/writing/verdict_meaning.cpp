#include "reports/writing/verdict_meaning.hpp"

namespace peerproof {

std::string_view meaning_of(VerdictWord word) {
    switch (word) {
        case VerdictWord::open:
            return "Every copy, read and write of every pair delivered, seen by the owner of the memory.";
        case VerdictWord::locked:
            return "Every kernel that touched another GPU's memory ended in an illegal address: peer access "
                   "is off, "
                   "and honestly so.";
        case VerdictWord::partial:
            return "Some pairs or some operations work and others do not.";
        case VerdictWord::silent:
            return "Success was reported and the bytes are not there. Nothing is worse: software cannot "
                   "notice it.";
        case VerdictWord::hung:
            return "A check passed its deadline, crashed, or could not be killed.";
        case VerdictWord::suspect:
            return "What was seen and what was said contradict each other: every core check delivered and "
                   "other "
                   "evidence is against it, or the driver granted peer access and the access was illegal.";
        case VerdictWord::no_verdict:
            return "The controls did not hold, part of the session is missing, or a GPU did not answer: "
                   "nothing is "
                   "known about this bench.";
    }
    return "";
}

std::string_view next_step_for(VerdictWord word) {
    switch (word) {
        case VerdictWord::open:
            return "Use it, and keep the reports with the driver's version.";
        case VerdictWord::locked:
            return "Software must not assume peer access here. The driver, the BIOS or the GPUs do not "
                   "grant it; "
                   "copies go through host memory.";
        case VerdictWord::partial:
            return "See what the failing pairs have in common: that GPU's slot, bridge, riser, ACS setting.";
        case VerdictWord::silent:
            return "Use no peer access on this bench. Look at IOMMU and ACS, and at a patched driver; the "
                   "evidence of a "
                   "pair shows what was found instead.";
        case VerdictWord::hung:
            return "Read logs/<case>.log and the kernel log; a GPU in quarantine wants a reboot.";
        case VerdictWord::suspect:
            return "The reasons say which to look at first, the bench or the suite.";
        case VerdictWord::no_verdict:
            return "Suspect the suite first: the reasons name the control, the missing case, the GPU that "
                   "went away.";
    }
    return "";
}

}  // namespace peerproof
