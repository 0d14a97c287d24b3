// Steps of the probe: copies of rows and of many pieces at once.
#include "tests/simulator/probe.hpp"

namespace peerproof::probe {

Steps copy_steps() {
    return {
        {"copy_2d",  // TO PITCH FROM PITCH WIDTH ROWS
         [](const Words& w) {
             return std::to_string(cudaMemcpy2D(pointer(w, 1).address, number(w, 2), pointer(w, 3).address,
                                                number(w, 4), number(w, 5), number(w, 6), cudaMemcpyDefault));
         }},
        {"copy_batch",  // TO FROM BYTES COUNT [null]: so many pieces, one behind the other, on a stream
         [](const Words& w) {
             cudaStream_t stream = nullptr;
             if (w.size() < 6) cudaStreamCreate(&stream);
             const std::size_t bytes = number(w, 3), count = number(w, 4);
             std::vector<void*> to;
             std::vector<const void*> from;
             for (std::size_t i = 0; i < count; ++i) {
                 to.push_back(at(pointer(w, 1), i * bytes));
                 from.push_back(at(pointer(w, 2), i * bytes));
             }
             const std::vector<std::size_t> sizes(count, bytes);
             cudaMemcpyAttributes attributes{};
             attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
             std::size_t first = 0;
             const cudaError_t error = cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), count,
                                                            &attributes, &first, 1, stream);
             if (error == cudaSuccess) cudaStreamSynchronize(stream);
             return std::to_string(error);
         }},
    };
}

}  // namespace peerproof::probe
