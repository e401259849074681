// fmt's compiled part, from the headers that Debian ships: for KBX_STATIC, because there is no libfmt.a.
#include <fmt/format-inl.h>
