// SPDX-License-Identifier: MIT
#pragma once
// Whether the program can have threads: on bare machines it cannot, and variables of a thread would need what is not there.

#if defined(__STDCPP_THREADS__)
#define JIG_THREAD_LOCAL thread_local
#else
#define JIG_THREAD_LOCAL
#endif
