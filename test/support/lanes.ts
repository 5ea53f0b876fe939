import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm test` leaves out, by the name that its last line gives it. `npm run test:all` runs everything. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  packaging: [
    'test/package/**',
    'test/action/**',
    'test/container/**',
    'test/readme.test.ts',
    'test/docs/first-hour.test.ts',
    'test/docs/first-test.test.ts',
    'test/docs/testing-page.test.ts',
    'test/library/runners/**',
    'test/library/msw/msw-3.test.ts',
  ],
  examples: ['test/examples/**'],
  browsers: ['test/browser/**'],
  'the site': ['test/site/**'],
  'the bench': ['test/bench/**'],
  'the soak': ['test/soak/**'],
  'mutation testing': ['test/mutation/**'],
  'the fuzzer': ['test/fuzz/planted-faults.test.ts', 'test/fuzz/runs.test.ts'],
  'failures of the machine': ['test/failures/**'],
  attacks: [
    'test/cli/remote/foreign-server.test.ts',
    'test/cli/start/journal-memory.test.ts',
    'test/cli/start/known-descriptions.test.ts',
    'test/cli/start/large-openapi.test.ts',
    'test/doors/admin/bodies.test.ts',
    'test/doors/admin/body-attacks.test.ts',
    'test/doors/admin/long-answers.test.ts',
    'test/doors/admin/slow-bodies.test.ts',
    'test/doors/proxy/memory.test.ts',
    'test/doors/server/many-calls.test.ts',
    'test/judges/conduct/memory.test.ts',
  ],
  rehearsals: [
    'test/cli/commands/box-export.test.ts',
    'test/cli/commands/box-versions.test.ts',
    'test/cli/clients/run-client.test.ts',
    'test/cli/commands/rehearse.test.ts',
    'test/clients/clocks-and-dates.test.ts',
    'test/cli/commands/rehearse-time.test.ts',
    'test/cli/commands/rehearse-together.test.ts',
    'test/cli/commands/rehearse-instances.test.ts',
  ],
  shells: ['test/cli/completion/shells.test.ts'],
  'tools of agents': [
    'test/cli/commands/mcp/client-text.test.ts',
    'test/cli/commands/mcp/server-of-tools.test.ts',
  ],
  'clients that wait': [
    'test/judges/fleet/agreement.test.ts',
    'test/cli/commands/fleet-modules.test.ts',
    'test/cli/commands/rehearse-search/planted-faults.test.ts',
    'test/cli/commands/rehearse-search/search.test.ts',
    'test/clients/rehearsals.test.ts',
    'test/clients/retry-after.test.ts',
    'test/docs/rehearsal-picture.test.ts',
    'test/doors/admin/events.test.ts',
    'test/doors/server/fault-amounts.test.ts',
    'test/doors/server/timeouts.test.ts',
    'test/judges/conduct/live-clients.test.ts',
  ],
  'the proxy and a running server': [
    'test/cli/commands/proxy.test.ts',
    'test/cli/start/port-taken.test.ts',
    'test/cli/start/watch.test.ts',
    'test/cli/remote/running-server.test.ts',
  ],
  recordings: [
    'test/docs/recordings-page.test.ts',
    'test/cli/walkthroughs/from-har.test.ts',
    'test/cli/commands/learn.test.ts',
    'test/cli/commands/proxy-learn.test.ts',
    'test/cli/commands/proxy-record.test.ts',
    'test/cli/commands/compare-plans.test.ts',
  ],
  'the golden record': ['test/golden/**'],
  'check of services': [
    'test/docs/validate-page.test.ts',
    'test/judges/conformance/plan-pro.test.ts',
    'test/cli/commands/check.test.ts',
    'test/cli/commands/check-services.test.ts',
  ],
  'TLS and nginx': ['test/cli/start/tls.test.ts', 'test/cli/start/behind-nginx.test.ts'],
  'state files': [
    'test/cli/start/state/state.test.ts',
    'test/cli/start/state/checksum.test.ts',
    'test/cli/start/state/state-kills.test.ts',
    'test/cli/start/state/state-taken.test.ts',
  ],
  'runs in boxes': ['test/judges/box/runs/*.test.ts', 'test/cli/commands/box-runs.test.ts'],
}

/** Paths of all tests, such as `test/api/bans.test.ts`, also where the system separates folders by a backslash. */
export function testFiles(): readonly string[] {
  return readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => `test/${path.replaceAll('\\', '/')}`)
}

/** The behaviour suites. `npm test` runs them through every door but the browser, the other lane through the browser. */
export function doorSuites(): readonly string[] {
  return testFiles().filter(path => readFileSync(root + path, 'utf8').includes('describeDoors('))
}
