// SPDX-License-Identifier: MIT
#pragma once

// The version of the library, for the preprocessor. The build files read it from here.

/// The major version: a change of it may break programs.
#define JIG_VERSION_MAJOR 0

/// The minor version: a change of it adds; while the major version is 0 it may also break.
#define JIG_VERSION_MINOR 1

/// The patch version: a change of it only mends.
#define JIG_VERSION_PATCH 0
