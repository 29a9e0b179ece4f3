# The web game and the game server in one small image: docker build -t sapper .
# docs/operating.md says how to run it; compose.yaml runs it with PostgreSQL behind a proxy.
FROM python:3.13-slim AS build
WORKDIR /build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY scripts ./scripts
COPY src ./src
COPY deploy/requirements.lock ./
RUN python -m venv /opt/sapper \
    && /opt/sapper/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
    && pip wheel --no-cache-dir --no-deps --wheel-dir wheels . \
    && /opt/sapper/bin/pip install --no-cache-dir --no-deps wheels/*.whl \
    && /opt/sapper/bin/pip uninstall --yes pip

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home --home-dir /var/lib/sapper --shell /usr/sbin/nologin sapper
COPY --from=build /opt/sapper /opt/sapper
ENV PATH=/opt/sapper/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/var/lib/sapper \
    SAPPER_LOG_FORMAT=json
USER 10001:10001
WORKDIR /var/lib/sapper
VOLUME /var/lib/sapper
EXPOSE 8080 9999
# For the game server compose.yaml has another: whether its port answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/health', timeout=4)"]
CMD ["sapper", "web", "--host", "0.0.0.0"]
