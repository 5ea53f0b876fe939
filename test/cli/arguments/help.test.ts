import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src/cli/arguments/command-line.ts'
import { formatHelp, groups } from '../../../src/cli/arguments/help.ts'
import { serveFlags } from '../../../src/cli/arguments/serve-flags.ts'
import { commands } from '../../../src/cli/commands.ts'
import { runCommand } from '../../support/run-command.ts'

async function printed(line: string, columns = 100): Promise<string> {
  const read = readCommandLine(line.split(' '), commands)
  if (read.kind !== 'help') throw new Error('It prints no help')
  return await formatHelp(read, columns)
}

/** The part of the main help that `serve --help` shows, too. */
async function serveHelp(line: string): Promise<string> {
  return (await printed(line)).replace(/^.*\n/, '').replace(/^Start a server:[\s\S]*(?=^Scenario:)/m, '')
}

describe('--help', () => {
  it('shows the groups of flags in one order', async () => {
    const sections = commands.flatMap(({ section = [] }) => section)
    const notFlags = ['Commands:', 'Other:', 'Examples:', ...sections]
    const lines = commands.flatMap(one =>
      'commands' in one ? one.commands.map(({ name }) => `${one.name} ${name}`) : [one.name],
    )
    for (const line of lines) {
      const titles = (await printed(`${line} --help`)).match(/^\S.*:$/gm) ?? []
      const shown = titles.filter(title => !notFlags.includes(title) && title.length < 20)
      expect([line, shown]).toEqual([line, groups.filter(group => shown.includes(group))])
    }
  })

  it('explains serve and lists the other commands', async () => {
    expect(await printed('--help')).toMatchInlineSnapshot(`
      "pet-mock [command] [flags]

      Serves the Pet Adoption Service with limits and bans.

      Start a server:
        serve       Serves the Pet Adoption Service with limits and bans. [default]
        exec        Runs a command, such as a test suite, with a server of its own.
        proxy       Forwards calls to a real service, and reports mistakes of both.

      Look at a running server:
        ps          Lists the running servers of this user.
        requests    Lists and explains the requests that the server received.
        conduct     Reports how clients behaved: early retries, bans and more.
        health      Checks that a server is up.

      Change a running server:
        scenario    Shows the running scenario, or switches to another.
        clock       Shows, moves, freezes and resumes the clock.
        keys        Lists, adds, bans and deletes API keys.
        pets        Lists, adds, edits and removes pets.
        rules       Lists, adds and removes rules that inject faults.
        reset       Restarts the scenario: pets, counters, bans, clock and rules.
        snapshot    Saves the whole state to a file, and restores it.
        state       Saves the file of --state now.
        stop        Stops a running server of this user, or all of them.

      Check:
        rehearse    Runs a client in every situation, and reports how it behaved.
        replay      Replays recorded calls at each plan: would it have sufficed?
        scenarios   Lists, shows, checks and plays scenarios.
        check       Checks an implementation of the service by its specification.

      Set up:
        init        Writes a first scenario, fixtures and the project file.
        completion  Prints a script that completes commands in bash, zsh or fish.
        mcp         Lets a coding agent use a running server, by MCP over stdio.

      Scenario:
        -s, --scenario NAME|FILE  a shipped scenario, or your own YAML or JSON file [free-plan]
            --clock ISO|frozen    start the clock at an instant such as 2030-12-04T23:59:00Z, or freeze it
                                  [real time]
            --key NAME=PLAN       add an API key with this plan; repeatable
            --pets N              the number of pets [100, or all pets of --fixtures]
            --seed N              the seed of random pets, rules and delays [the scenario's, else 1]
            --fixtures DIR        a directory with your own pets.yaml, keys.yaml, categories.yaml or
                                  orders.yaml
            --openapi FILE        also serve the operations that this OpenAPI 3 file adds
            --watch               reload the scenario, fixtures and OpenAPI files when they change
            --state FILE          save everything to this file, and restore it at the next start
            --state-sync WHEN     when to save changes: second (about every second) or always (before
                                  responses to writes) [second]

      Server:
        -p, --port PORT                      the port to listen on; 0 picks a free one [7387]
            --host HOST                      the address to listen on; 0.0.0.0 lets other machines connect
                                             [127.0.0.1]
            --cors ORIGINS                   more origins whose pages may read responses; * allows all,
                                             none no page, none,ORIGIN that one alone
            --allowed-hosts NAMES            more host names to accept in requests; .example.com includes
                                             its subdomains, * allows all
            --base-url URL                   the URL of the API for clients behind a proxy, such as
                                             https://pets.test/v1: links begin with it
            --trust-proxy                    believe Forwarded and X-Forwarded-* headers; only if no
                                             client can bypass the proxy
            --tls                            speak HTTPS, with a self-signed certificate for localhost
                                             unless --tls-cert names another
            --tls-cert FILE                  speak HTTPS with this certificate, in PEM form
            --tls-key FILE                   the private key of --tls-cert, in PEM form
            --no-marks                       omit the header X-Pet-Mock from injected responses
            --admin-token TOKEN              require this token at /__admin; without one, only this
                                             machine has access
            --journal SIZE|COUNT             how much the journal keeps: bytes of all sandboxes, such as
                                             64MB, or calls of each, such as 1000; 0 turns it off
                                             [1000,64MB]
            --snapshot-limit SIZE            the largest snapshot that /__admin accepts, such as 64MB
                                             [256MB]
            --contract off|warn|error        check calls and responses against openapi.yaml and --openapi;
                                             error makes exec fail [off]
            --mask NAME                      also mask the values of headers, parameters and fields with
                                             this name; repeatable
            --log-format pretty|json|silent  the format of the log; silent prints only the base URL, and
                                             only with --port 0 [pretty]
            --no-config                      do not read pet-mock.yaml, the project file

      Other:
        -h, --help     show this help
        -v, --version  show the version

      Examples:
        pet-mock                               the service with the free plan
        pet-mock -s rate-limit-exhaustion      three calls left in this minute
        pet-mock --clock 2030-12-04T23:59:30Z  30 seconds before an operation is removed
        pet-mock --key my-app=pro --port 0     your own key, on a free port

      Shipped scenarios: after-removal, ban, ban-escalation, broken-connections, brownout, business-plan,
      clock-skew, clock-skew-behind, daily-limit, deprecated-get-pet, downgrade, empty-store,
      enterprise-plan, flaky, free-plan, large-store, lost-reply, midnight, not-found, orders, outage,
      page-shift, pagination, plan-upgrade, precision, pro-plan, rate-limit-exhaustion, retry-after,
      retry-after-hostile, retry-after-zoo, revoked-midway, shared-key, slow, slow-body, unauthorized,
      validation-errors.

      Each flag overrides an environment variable: --port overrides PET_MOCK_PORT, --allowed-hosts
      overrides PET_MOCK_ALLOWED_HOSTS. PET_MOCK_KEYS takes several keys, separated by commas.

      A project file pet-mock.yaml, here or above, may have the names of flags as keys, such as port:
      7400. The environment overrides it."
    `)
  })

  it('has one line for each command at 80 columns', async () => {
    const [, list = ''] = /^Start a server:([\s\S]*?)^Scenario:/m.exec(await printed('--help', 80)) ?? []
    const names = list.match(/^ {2}\S+/gm)?.map(line => line.trim())
    expect(names).toEqual(commands.map(({ name }) => name))
    expect(list.split('\n').filter(line => /^ {3}/.test(line))).toEqual([])
  })

  it('of a group lists its commands', async () => {
    expect(await printed('clock --help')).toMatchInlineSnapshot(`
      "pet-mock clock COMMAND [flags]

      Shows, moves, freezes and resumes the clock.

      Commands:
        show     Shows the time on the clock, and whether it runs. [default]
        advance  Moves the clock forward, by a duration or to an instant.
        freeze   Stops the clock, now or at a later instant.
        resume   Lets the clock run.
        reset    Sets the clock back to the start of the scenario.

      Which server:
            --url URL            the URL of the API or the admin plane [the only server on this machine]
        -p, --port PORT          the server of this machine on this port
            --sandbox NAME       the sandbox, or * for all [default]
            --admin-token TOKEN  the server's admin token

      Options:
            --json  print the response of the admin plane as one line of JSON

      Other:
        -h, --help     show this help
        -v, --version  show the version

      Limits, bans, expiry and removal dates follow the clock at once. Only "pet-mock clock reset" and
      "pet-mock reset" move the clock back."
    `)
    expect(await printed('scenarios')).toBe(await printed('scenarios --help'))
  })

  it('of exec shows its own defaults and where the other command begins', async () => {
    const help = await printed('exec --help')
    expect(help).toMatch(/^pet-mock exec \[flags\] -- COMMAND…\n/)
    expect(help).toMatch(/--port PORT .*\[0\]$/m)
    expect(help).toMatch(/--log-format pretty\|json\|silent .*\[silent\]$/m)
    expect(help).toMatch(/^ +--env NAME=url\|key\|admin /m)
  })

  it('wraps a long description within its column', async () => {
    expect(await printed('exec --help', 80)).toMatch(
      /^ {6}--fail-on {2,}which findings .+\n {6}error\|warning\|never\|unjudged\|ID {2,}\S/m,
    )
  })

  it('puts long examples below their descriptions', async () => {
    expect(await printed('exec --help', 80)).toContain(
      '\n  # tests that read API_URL and API_KEY\n  pet-mock exec --env API_URL=url --env API_KEY=key -- npm test\n',
    )
  })

  it.each([40, 60, 80, 110, 300])('fits into %d columns', async columns => {
    const widths = (await printed('--help', columns)).split('\n').map(line => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, 110))
  })

  it.each(['-h', 'serve --help', '--port x --help', '--prot --help', 'srve --help'])(
    'is the same for pet-mock %s',
    async line => {
      expect(await serveHelp(line)).toBe(await serveHelp('--help'))
    },
  )

  it('goes to stdout, without colours, with exit code 0', async () => {
    const { code, stdout, stderr } = await runCommand(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${await printed('--help', 80)}\n`)
  })
})

it.each(Object.entries(serveFlags))('--%s has the environment variable of its name', (name, { variable }) => {
  const expected = `PET_MOCK_${name.toUpperCase().replaceAll('-', '_')}`
  expect(variable).toBe(name === 'key' ? 'PET_MOCK_KEYS' : expected)
})

it.each(['--version', '-v'])('%s prints the version of package.json', async flag => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(await runCommand([flag])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})
