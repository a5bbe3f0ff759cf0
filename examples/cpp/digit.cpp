// Says which digit a picture shows: 784 floats from 0 to 1 in a file, row by row.

#include <mnist.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <iostream>
#include <vector>

int main(int count, char **words)
{
    if (count != 3) {
        std::cerr << "usage: digit WEIGHTS PICTURE\n";
        return 2;
    }
    try {
        mnist_network network(words[1]);

        std::vector<float> image(mnist_network::in_image_elements);
        std::ifstream file(words[2], std::ios::binary);
        const auto bytes = static_cast<std::streamsize>(image.size() * sizeof(float));
        if (!file.read(reinterpret_cast<char *>(image.data()), bytes)) {
            throw std::runtime_error("the picture is missing or too small");
        }

        std::array<float, mnist_network::out_logits_elements> logits;
        network.predict(image, logits);

        const auto best = std::max_element(logits.begin(), logits.end());
        std::cout << "a " << best - logits.begin() << '\n';
    } catch (const std::exception &error) {
        std::cerr << "digit: " << error.what() << '\n';
        return 1;
    }
}
