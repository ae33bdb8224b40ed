# limpet-diagnoser in a container. Build from the root of the repository:
#   docker build -f docker/diagnoser.Dockerfile -t limpet-diagnoser .
#   docker run -d -p 9837:9837 -v ./diagnoser.yml:/etc/limpet/diagnoser.yml:ro -v limpet:/var/lib/limpet limpet-diagnoser
FROM debian:bookworm-slim AS build
WORKDIR /src
COPY scripts/setup scripts/packages.txt scripts/
RUN scripts/setup --build
COPY . .
RUN cmake --preset release -DLIMPET_TESTS=OFF -DLIMPET_BENCHMARKS=OFF \
 && cmake --build --preset release --target limpet-diagnoser \
 && strip build/release/bin/limpet-diagnoser

FROM debian:bookworm-slim
COPY scripts/setup scripts/packages.txt /setup/
RUN /setup/setup --run && rm -rf /setup /var/lib/apt/lists/* \
 && useradd --system --no-create-home --shell /usr/sbin/nologin limpet \
 && install -d -o limpet -g limpet /var/lib/limpet
COPY --from=build /src/build/release/bin/limpet-diagnoser /usr/local/bin/
COPY config/diagnoser.yml /etc/limpet/diagnoser.yml
USER limpet
VOLUME /var/lib/limpet
EXPOSE 9837
ENTRYPOINT ["limpet-diagnoser"]
CMD ["serve", "--config", "/etc/limpet/diagnoser.yml", "--state-dir", "/var/lib/limpet"]
