import { wholeNumbers } from '../../base/text/constraint.ts'
import { type AllowedOrigins, loopbackOnly } from '../../emulator/replies/cors.ts'
import { always, flagGroup, one, right } from './flag.ts'
import { numberOf, readBaseUrl, readHost, readHostNames, readOrigins } from './flag-values.ts'

const server = flagGroup('Server:')

/** Where the server listens, and who may call it. */
export const networkFlags = {
  port: server.flag<number>({
    alias: 'p',
    variable: 'PET_MOCK_PORT',
    value: 'PORT',
    about: 'the port to listen on; 0 picks a free one',
    type: 'number',
    fallback: 7387,
    read: one(numberOf(wholeNumbers('a port from 0 to 65535', 0, 65_535))),
  }),
  host: server.flag<string>({
    variable: 'PET_MOCK_HOST',
    value: 'HOST',
    about: 'the address to listen on; 0.0.0.0 lets other machines connect',
    fallback: '127.0.0.1',
    read: one(readHost),
  }),
  cors: server.flag<AllowedOrigins>({
    variable: 'PET_MOCK_CORS',
    value: 'ORIGINS',
    about:
      'more origins whose pages may read responses; * allows all, none no page, none,ORIGIN that one alone',
    type: 'list',
    fallback: loopbackOnly,
    read: readOrigins,
  }),
  'allowed-hosts': server.flag<readonly string[] | '*'>({
    variable: 'PET_MOCK_ALLOWED_HOSTS',
    value: 'NAMES',
    about: 'more host names to accept in requests; .example.com includes its subdomains, * allows all',
    type: 'list',
    fallback: [],
    read: readHostNames,
  }),
  'base-url': server.optional({
    variable: 'PET_MOCK_BASE_URL',
    value: 'URL',
    about: 'the URL of the API for clients behind a proxy, such as https://pets.test/v1: links begin with it',
    parse: readBaseUrl,
  }),
  'trust-proxy': server.toggle({
    variable: 'PET_MOCK_TRUST_PROXY',
    about: 'believe Forwarded and X-Forwarded-* headers; only if no client can bypass the proxy',
  }),
  tls: server.toggle({
    variable: 'PET_MOCK_TLS',
    about: 'speak HTTPS, with a self-signed certificate for localhost unless --tls-cert names another',
  }),
  'tls-cert': server.optional({
    variable: 'PET_MOCK_TLS_CERT',
    value: 'FILE',
    about: 'speak HTTPS with this certificate, in PEM form',
    isPath: always,
    parse: right,
  }),
  'tls-key': server.optional({
    variable: 'PET_MOCK_TLS_KEY',
    value: 'FILE',
    about: 'the private key of --tls-cert, in PEM form',
    isPath: always,
    parse: right,
  }),
}
