// plain_names(): names as Python reads them.
#pragma once
#include <string>
#include <string_view>

namespace kbx::lint {

// Python takes identifiers in Unicode's form NFKC: a name in full-width or mathematical letters is the same name in ASCII. The
// text with each such character of an identifier replaced, where the form is ASCII; in strings and comments, too, since what
// is a name is not known yet. Everything else stays, so lines and (but for ligatures) columns do. Invalid UTF-8 stays.
std::string plain_names(std::string_view text);

}  // namespace kbx::lint
