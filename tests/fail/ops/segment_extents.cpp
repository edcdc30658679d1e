// SPDX-License-Identifier: MIT
// expect-error: UnsortedSegmentSum: the segm
// expect-error: float32 (4, 2) and int32 (2,)
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  jig::tensor<int, 4> ids;
#else
  jig::tensor<int, 2> ids;
#endif
  return static_cast<int>(jig::unsorted_segment_sum<3>(jig::tensor<float, 4, 2>(), ids)(0, 0));
}
