import { wholeNumbers } from '../../base/text/constraint.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { bodyLimits } from '../../doors/admin/routing/read-body.ts'
import { type JournalLimits, usualJournal } from '../../emulator/journal/journal.ts'
import { type AllowedOrigins, loopbackOnly } from '../../emulator/replies/cors.ts'
import { petCounts, seeds } from '../../emulator/worlds/constraints.ts'
import { flagGroup, one, right, type ValuesOf } from './flag.ts'
import * as flagValues from './flag-values.ts'

/** Bytes. */
export const usualBoxSize = 64 * 2 ** 20

const server = flagGroup('Server:')

export const networkFlags = {
  port: server.flag<number>({
    alias: 'p',
    value: 'PORT',
    about: 'the port to listen on; 0 picks a free one',
    type: 'number',
    fallback: 7387,
    read: one(flagValues.numberOf(wholeNumbers('a port from 0 to 65535', 0, 65_535))),
  }),
  host: server.flag<string>({
    value: 'HOST',
    about: 'the address to listen on; 0.0.0.0 lets other machines connect',
    fallback: '127.0.0.1',
    read: one(flagValues.readHost),
  }),
  cors: server.flag<AllowedOrigins>({
    value: 'ORIGINS',
    about:
      'more origins whose pages may read responses; * allows all, none no page, none,ORIGIN that one alone',
    type: 'list',
    fallback: loopbackOnly,
    read: flagValues.readOrigins,
  }),
  'allowed-hosts': server.flag<readonly string[] | '*'>({
    value: 'NAMES',
    about: 'more host names to accept in requests; .example.com includes its subdomains, * allows all',
    type: 'list',
    fallback: [],
    read: flagValues.readHostNames,
  }),
  'base-url': server.optional({
    value: 'URL',
    about: 'the URL of the API for clients behind a proxy, such as https://pets.test/v1: links begin with it',
    parse: flagValues.readBaseUrl,
  }),
  'trust-proxy': server.toggle({
    about: 'believe Forwarded and X-Forwarded-* headers; only if no client can bypass the proxy',
  }),
  tls: server.toggle({
    about: 'speak HTTPS, with a self-signed certificate for localhost unless --tls-cert names another',
  }),
  'tls-cert': server.path({ about: 'speak HTTPS with this certificate, in PEM form' }),
  'tls-key': server.path({ about: 'the private key of --tls-cert, in PEM form' }),
}

export const situation = flagGroup('Scenario:')

/** Where to take flags from is decided before the project file is read. */
export const noConfigFlag = server.toggle({
  about: 'do not read pet-mock.yaml, the project file',
  notInProject: 'to skip this file, use --no-config or PET_MOCK_NO_CONFIG',
})

/** The flags of serve. Parsing, environment variables, --help and messages all use this table. */
export const serveFlags = {
  scenario: situation.flag<string>({
    alias: 's',
    value: 'NAME|FILE',
    about: 'a shipped scenario, or your own YAML or JSON file',
    isPath: text => !shippedScenarios.has(text),
    fallback: 'free-plan',
    read: one(right),
  }),
  clock: situation.optional({
    value: 'ISO|frozen',
    about: 'start the clock at an instant such as 2030-12-04T23:59:00Z, or freeze it [real time]',
    parse: flagValues.readClock,
  }),
  'add-key': situation.list({
    value: 'NAME=PLAN',
    about: 'add an API key with this plan; repeatable',
    parse: flagValues.readKey,
  }),
  pets: situation.optional({
    value: 'N',
    about: 'the number of pets [100, or all pets of --fixtures]',
    type: 'number',
    parse: flagValues.numberOf(petCounts),
  }),
  seed: situation.optional({
    value: 'N',
    about: "the seed of random pets, rules and delays [the scenario's, else 1]",
    type: 'number',
    parse: flagValues.numberOf(seeds),
  }),
  fixtures: situation.path({
    value: 'DIR',
    about: 'a directory with your own pets.yaml, keys.yaml, categories.yaml or orders.yaml',
  }),
  openapi: situation.path({ about: 'also serve the operations that this OpenAPI 3 file adds' }),
  'openapi-only': situation.texts({
    value: 'GLOB',
    needs: 'openapi',
    about: 'of --openapi, serve only these paths or tags, such as /v1/charges/** or Charges; repeatable',
  }),
  profile: situation.path({
    about: 'answer like the service of this profile, which `pet-mock learn` writes; the scenario wins',
  }),
  latency: situation.toggle({ needs: 'profile', about: 'let responses take as long as the profile says' }),
  watch: situation.toggle({ about: 'reload the scenario, fixtures and OpenAPI files when they change' }),
  state: situation.path({
    writes: true,
    about: 'save everything to this file, and restore it at the next start',
  }),
  'state-sync': situation.flag<flagValues.StateSync>({
    value: 'WHEN',
    about: 'when to save changes: second (about every second) or always (before responses to writes)',
    fallback: 'second',
    words: flagValues.stateSyncs,
    read: one(flagValues.wordOf(flagValues.stateSyncs)),
  }),
  ...networkFlags,
  'no-marks': server.toggle({ about: 'omit the header X-Pet-Mock from injected responses' }),
  'admin-token': server.optional({
    value: 'TOKEN',
    isSecret: true,
    about: 'require this token at /__admin; without one, only this machine has access',
    notInProject: 'a token is secret, and this file is for the whole team; set PET_MOCK_ADMIN_TOKEN',
    parse: flagValues.readToken,
  }),
  journal: server.flag<JournalLimits>({
    value: 'SIZE|COUNT',
    about:
      'how much the journal keeps: bytes of all sandboxes, such as 64MB, or calls of each, such as 1000; 0 turns it off',
    fallback: usualJournal,
    defaultText: '1000,64MB',
    read: one(flagValues.readJournal),
  }),
  'snapshot-limit': server.flag<number>({
    value: 'SIZE',
    about: 'the largest snapshot that /__admin accepts, such as 64MB',
    fallback: bodyLimits.snapshot,
    defaultText: '256MB',
    read: one(flagValues.readSize),
  }),
  box: server.path({
    writes: true,
    about: 'record the run, and write it to this file at the end; pet-mock box open serves it at any call',
  }),
  'box-size': server.flag<number>({
    value: 'SIZE',
    needs: 'box',
    about: 'the largest file of --box, such as 64MB; beyond it, the oldest calls go',
    fallback: usualBoxSize,
    defaultText: '64MB',
    read: one(flagValues.readSize),
  }),
  contract: server.toggle({
    about: 'check calls and responses against openapi.yaml and --openapi; a breach is an error',
  }),
  mask: server.list({
    value: 'NAME',
    about: 'also mask the values of headers, parameters and fields with this name; repeatable',
    parse: flagValues.readMaskedName,
  }),
  'log-format': server.flag<flagValues.LogFormat>({
    value: flagValues.logFormats.join('|'),
    about: 'the format of the log; silent prints only the base URL, and only with --port 0',
    fallback: 'pretty',
    words: flagValues.logFormats,
    read: one(flagValues.wordOf(flagValues.logFormats)),
  }),
  'no-config': noConfigFlag,
}

export type ServeValues = ValuesOf<typeof serveFlags>
