// What one card reaches by trusted kernels alone: its memory's rates, and matrix products by the libraries that torch
// brings, of every unit. Each by the trusted clock.
#pragma once
#include "eval/trusted_tapes.h"
#include "model/calibration.h"

namespace kbx::eval {

// One matrix product of n x n matrices: 2 n^3 operations.
struct UnitProduct {
  Unit unit;
  TrustedCall call;
  double operations = 0;
};
// Those that are tried, several sizes a unit, units together.
std::vector<UnitProduct> unit_products();

// Holds the slot's lease from its first word to its last. What cannot be measured is absent and has its reason in
// `methods`; an Error only when there is nothing to measure with.
Result<Calibration> calibrate(const MeasuringBench& bench, gpu::Cards::Slot& slot);

// The rate by which a product was played, operations a second, from the answer to `time_one`; Error without a time.
Result<double> rate_of(const Json& answer, double operations);

}  // namespace kbx::eval
