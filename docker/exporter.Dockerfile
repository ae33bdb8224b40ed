# limpet-exporter in a container. Build from the root of the repository:
#   docker build -f docker/exporter.Dockerfile -t limpet-exporter .
# Run where it sees the host's kernel files, network and processes:
#   docker run -d --net=host --pid=host -v /proc:/host/proc:ro -v /sys:/host/sys:ro limpet-exporter
FROM debian:bookworm-slim AS build
WORKDIR /src
COPY scripts/setup scripts/packages.txt scripts/
RUN scripts/setup --build
COPY . .
RUN cmake --preset release -DLIMPET_TESTS=OFF -DLIMPET_BENCHMARKS=OFF \
 && cmake --build --preset release --target limpet-exporter \
 && strip build/release/bin/limpet-exporter

FROM debian:bookworm-slim
COPY scripts/setup scripts/packages.txt /setup/
RUN /setup/setup --run && rm -rf /setup /var/lib/apt/lists/* \
 && useradd --system --no-create-home --shell /usr/sbin/nologin limpet
COPY --from=build /src/build/release/bin/limpet-exporter /usr/local/bin/
COPY config/exporter.yml /etc/limpet/exporter.yml
USER limpet
EXPOSE 9836
ENTRYPOINT ["limpet-exporter"]
CMD ["serve", "--config", "/etc/limpet/exporter.yml", "--path.procfs", "/host/proc", "--path.sysfs", "/host/sys"]
