#include "eval/charge.h"

namespace kbx::eval {

const Charge* headline(const std::vector<Charge>& charges) {
  const Charge* first = nullptr;
  for (const Charge& c : charges)
    if (!first || c.verdict < first->verdict) first = &c;
  return first && first->verdict != Verdict::correct ? first : nullptr;
}

Verdict decide(const std::vector<Charge>& charges) {
  const Charge* c = headline(charges);
  return c ? c->verdict : Verdict::correct;
}

Verdict decide_paper(const std::vector<Charge>& charges) {
  Verdict v = Verdict::correct;
  for (const Charge& c : charges)
    if (c.paper && c.verdict < v) v = c.verdict;
  return v;
}

}  // namespace kbx::eval
