// SPDX-License-Identifier: MIT
#pragma once
// jig: functions traced at compile time. This header is all a program includes.

#include <jig/eager.hpp>
#include <jig/function.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/unary.hpp>
#include <jig/version.hpp>
