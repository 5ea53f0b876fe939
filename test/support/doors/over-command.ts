import { loopbackOnly } from '../../../src/emulator/replies/cors.ts'
import { serveJson } from '../run-command.ts'
import type { Door, OpenWay } from './door.ts'
import { type Mirror, openMirrored } from './mirrored.ts'
import { sendOverHttp } from './over-http.ts'
import { complete } from './request.ts'

/** `pet-mock serve` in a process of its own, such as the executable that PET_MOCK_TEST_COMMAND names. */
export const overCommand: Door = {
  name: 'over HTTP to the command',
  timeout: 180_000,
  cannot: () => undefined,
  start: () => openOverCommand,
}

const openOverCommand: OpenWay = async (emulator, context, options) => {
  const { allowedHosts = [], baseUrl, cors = loopbackOnly, marks = true, trustProxy = false } = options
  const origins = cors === '*' ? [cors] : [...cors.listed, ...(cors.loopback ? [] : ['none'])]
  const { ready, child, ended } = await serveJson([
    ...[allowedHosts].flat().flatMap(name => ['--allowed-hosts', name]),
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...origins.flatMap(origin => ['--cors', origin]),
    ...(marks ? [] : ['--no-marks']),
    ...(trustProxy ? ['--trust-proxy'] : []),
  ])
  const { host } = new URL(ready.url)
  const mirror: Mirror = {
    state: undefined,
    largest: 10_000_000,
    call: async (request, snapshot) => {
      if (snapshot !== undefined) {
        const url = `${ready.admin}/snapshot?sandbox=*`
        const headers = { 'Content-Type': 'application/json' }
        const loaded = await fetch(url, { method: 'PUT', headers, body: snapshot })
        if (loaded.status !== 200) throw new Error(await loaded.text())
      }
      return await sendOverHttp(host, complete(request))
    },
  }
  const way = await openMirrored(emulator, context, host, mirror)
  return {
    ...way,
    close: async () => {
      await way.close()
      child.kill()
      await ended
    },
  }
}
