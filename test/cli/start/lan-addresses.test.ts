import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { lanAddresses } from '../../../src/cli/start/start-server.ts'
import { serveJson } from '../../support/run-command.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const interfaces = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  eth0: [at('192.168.1.7'), at('fe80::1'), at('fd00::7')],
  docker0: [at('172.17.0.1')],
}

it.each([
  ['127.0.0.1', []],
  ['192.168.1.7', []],
  ['localhost', []],
  ['0.0.0.0', ['192.168.1.7', '172.17.0.1']],
  ['::', ['192.168.1.7', 'fd00::7', '172.17.0.1']],
])('listening on %s: %j', (host, addresses) => {
  expect(lanAddresses(host, interfaces)).toEqual(addresses)
})

it('lists no more than five', () => {
  const many = { eth0: Array.from({ length: 50 }, (_, index) => at(`10.0.0.${index}`)) }
  expect(lanAddresses('0.0.0.0', many)).toHaveLength(5)
})

it('are addresses at which a real server answers', async () => {
  const { ready } = await serveJson(['--host', '0.0.0.0'])
  for (const url of ready.network ?? []) expect((await fetch(`${url}/pets`)).status).toBe(401)
})
