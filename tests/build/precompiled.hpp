// SPDX-License-Identifier: MIT
// What nearly every test includes, compiled once: that is a tenth of the time the tests take to compile.
#pragma once

#include <jig.hpp>

#include <doctest/doctest.h>
