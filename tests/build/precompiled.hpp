// SPDX-License-Identifier: MIT
// What nearly every test includes, compiled once.
#pragma once

#include <jig.hpp>

#include <doctest/doctest.h>
