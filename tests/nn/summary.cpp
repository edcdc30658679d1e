// SPDX-License-Identifier: MIT
#include <jig/nn/convolution.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/normalization.hpp>
#include <jig/nn/pooling.hpp>
#include <jig/nn/reshaping.hpp>
#include <jig/nn/summary.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;
namespace layers = nn::layers;

TEST_CASE("summary: Keras' table") {
  auto model = nn::sequential(nn::input<float, 28, 28, 1>(), layers::conv2d<32, 3>(jig::same_padding, nn::activations::relu),
                              layers::batch_normalization(), layers::max_pooling2d<2>(), layers::flatten(),
                              layers::dense<64>(nn::activations::relu), layers::dropout<0.5>(), layers::dense<10>());
  CHECK(nn::summary(model) == R"(Model: "sequential"
_________________________________________________________________
 Layer (type)                Output Shape              Param #   
=================================================================
 conv2d (Conv2D)             (None, 28, 28, 32)        320       
                                                                 
 batch_normalization (Batch  (None, 28, 28, 32)        128       
 Normalization)                                                  
                                                                 
 max_pooling2d (MaxPooling2  (None, 14, 14, 32)        0         
 D)                                                              
                                                                 
 flatten (Flatten)           (None, 6272)              0         
                                                                 
 dense (Dense)               (None, 64)                401472    
                                                                 
 dropout (Dropout)           (None, 64)                0         
                                                                 
 dense_1 (Dense)             (None, 10)                650       
                                                                 
=================================================================
Total params: 402570 (1.54 MB)
Trainable params: 402506 (1.54 MB)
Non-trainable params: 64 (256.00 Byte)
_________________________________________________________________
)");
}

struct network {
  static constexpr std::string_view type = "TwoLayers";
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<float, 300, 4>, hidden), (nn::dense<float, 4, 1>, score));
};

TEST_CASE("summary: a struct of layers") {
  CHECK(nn::summary(network()) == R"(Model: "two_layers"
_________________________________________________________________
 Layer (type)                Output Shape              Param #   
=================================================================
 hidden (Dense)              multiple                  1204      
                                                                 
 score (Dense)               multiple                  5         
                                                                 
=================================================================
Total params: 1209 (4.72 KB)
Trainable params: 1209 (4.72 KB)
Non-trainable params: 0 (0.00 Byte)
_________________________________________________________________
)");
}

}  // namespace
