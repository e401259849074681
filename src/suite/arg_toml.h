// One value of `args` -> ArgSpec.
#pragma once
#include "model/task.h"
#include "toml/reader.h"

namespace kbx::suite {

// `where` names the argument in messages: "argument 'input'". A faulty value comes back as far as it was understood.
ArgSpec read_argument(toml::Faults& faults, const toml::Node& node, const std::string& where);

// "nan", "inf", "-inf", "-0.0", "max", "min", "tiny", "denormal" for one dtype; nullopt for other texts.
// Floats: min is the most negative finite value, tiny the smallest normal, denormal the smallest positive value.
std::optional<double> special_number(Dtype dtype, std::string_view text);

}  // namespace kbx::suite
