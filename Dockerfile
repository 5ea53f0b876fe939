# Builds pet-mock from this folder: docker build -t pet-mock .
# docker run --rm -p 127.0.0.1:7387:7387 pet-mock --scenario ban
# The output is the same on each platform, so the build need not be emulated.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-alpine
# Other containers reach it as pet-mock, and containers of other networks through the host.
ENV NODE_ENV=production \
    PET_MOCK_HOST=0.0.0.0 \
    PET_MOCK_ALLOWED_HOSTS=pet-mock,host.docker.internal
COPY --from=build /build/package.json /build/openapi.yaml /opt/pet-mock/
COPY --from=build /build/schemas /opt/pet-mock/schemas
COPY --from=build /build/dist /opt/pet-mock/dist
# Mount your project here: its pet-mock.yaml is read.
WORKDIR /work
USER node
EXPOSE 7387
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["node", "/opt/pet-mock/dist/pet-mock.cjs", "health"]
ENTRYPOINT ["node", "/opt/pet-mock/dist/pet-mock.cjs"]
CMD ["serve"]
