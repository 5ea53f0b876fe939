import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { emptyFolder } from '../support/package.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'
import { runInProject } from '../support/run-in-project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const things = ['start', 'list', '429', 'wait', 'ban', 'create', 'fault', 'explain', 'conduct', 'stop']

interface Language {
  readonly name: string
  readonly needs: string
  /** The words of the command that runs the tests; undefined if the machine cannot. */
  readonly command: () => readonly string[] | undefined
  /** The flag that fails a test on findings, where the language has one. */
  readonly failOn?: string
  /** A line that reports one of the ten tests as passed. */
  readonly passed: RegExp
  /** A test that retries at once, and passes. */
  readonly impolite: readonly [file: string, text: string]
  /** A test of a banned key, which fails. */
  readonly failing: readonly [file: string, text: string]
}

const java = (name: string, body: string) =>
  [
    `src/test/java/adoption/${name}Test.java`,
    `package adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import petmock.PetMock;
import petmock.PetMockExtension;

@ExtendWith(PetMockExtension.class)
class ${name}Test {
    @Test
    void ${name.toLowerCase()}(PetMock mock) throws Exception {
        var http = HttpClient.newHttpClient();
        var list = HttpRequest.newBuilder(URI.create(mock.url() + "/pets")).header("Authorization", "Bearer " + mock.key()).build();
        ${body}
    }
}
`,
  ] as const

const languages: readonly Language[] = [
  {
    name: 'python',
    needs: 'Python with pytest and requests',
    command: () => {
      // Debian's own has Debian's packages.
      const python = ['/usr/bin/python3', 'python3'].find(name => runs(name, '-c', 'import pytest, requests'))
      return python === undefined ? undefined : [python, '-m', 'pytest', '-v', '-p', 'no:cacheprovider']
    },
    failOn: '--pet-mock-fail-on=error',
    passed: /^test_adoption\.py::test_([a-z0-9]+)_\w+ PASSED/gm,
    impolite: [
      'test_impolite.py',
      `def test_impolite(pet_mock, client):
    pet_mock.use("rate-limit-exhaustion")
    for _ in range(7):
        client.get(f"{pet_mock.url}/pets")
`,
    ],
    failing: [
      'test_failing.py',
      `def test_failing(pet_mock, client):
    pet_mock.use("ban")
    assert client.get(f"{pet_mock.url}/pets").ok
`,
    ],
  },
  {
    name: 'go',
    needs: 'Go',
    command: () => (runs('go', 'version') ? ['go', 'test', '-v', './...'] : undefined),
    passed: /^--- PASS: Test([A-Z][a-z]+|\d+)\w+ /gm,
    impolite: [
      'impolite_test.go',
      `package adoption

import (
	"testing"

	"adoption/petmock"
)

func TestImpolite(t *testing.T) {
	mock := petmock.New(t)
	mock.Use("rate-limit-exhaustion")
	for call := 1; call <= 7; call++ {
		list(t, mock)
	}
}
`,
    ],
    failing: [
      'failing_test.go',
      `package adoption

import (
	"testing"

	"adoption/petmock"
)

func TestFailing(t *testing.T) {
	mock := petmock.New(t)
	mock.Use("ban")
	want(t, list(t, mock).StatusCode, 200)
}
`,
    ],
  },
  {
    name: 'java',
    needs: 'JDK with JUnit 5 of Debian',
    command: () =>
      findProgram('javac') !== undefined && existsSync('/usr/share/java/junit-platform-console.jar')
        ? ['./run.sh']
        : undefined,
    passed: /^ +[+'](?:--) (?:status)?([a-z]+|\d+)\w+\((?:PetMock)?\) \[OK\]$/gm,
    impolite: java(
      'Impolite',
      `mock.use("rate-limit-exhaustion");
        for (int call = 1; call <= 7; call++) http.send(list, BodyHandlers.ofString());`,
    ),
    failing: java(
      'Failing',
      `mock.use("ban");
        assertEquals(200, http.send(list, BodyHandlers.ofString()).statusCode());`,
    ),
  },
]

function runs(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A copy of the example, with another test maybe, and how to run it with the built command. */
function open({ name, needs, command }: Language, context: TestContext) {
  const words = requireOrSkip(context, needs, command())
  const folder = emptyFolder(name)
  onTestFinished(folder.remove)
  cpSync(join(root, 'examples', name), folder.path, { recursive: true })
  const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', PYTHONDONTWRITEBYTECODE: '1' }
  const run = (program: string, ...args: readonly string[]) =>
    runInProject(folder.path, [program, ...args], { env, timeoutMs: 240_000 })
  return {
    write: ([file, text]: Language['failing']) => writeFileSync(join(folder.path, file), text),
    runAlone: () => run(words[0] ?? '', ...words.slice(1)),
    runInExec: (...more: readonly string[]) =>
      run(process.execPath, join(root, 'dist/pet-mock.cjs'), 'exec', '--no-config', '--', ...words, ...more),
  }
}

const passedIn = (output: string, passed: RegExp) =>
  [...output.matchAll(passed)].map(([, thing = '']) => thing.toLowerCase()).sort()

const timeout = 300_000

for (const language of languages) {
  const { name, passed, failOn } = language

  test(`examples/${name}: its ten tests pass`, { timeout }, async context => {
    const { code, output } = await open(language, context).runInExec()
    expect(passedIn(output, passed), output).toEqual([...things].sort())
    expect(code).toBe(0)
  })

  test(`examples/${name}: a client that retries too early fails the run`, { timeout }, async context => {
    const example = open(language, context)
    example.write(language.impolite)
    const { code, output } = await example.runInExec()
    expect(output).toMatch(/^✕ error {2}early-retry$/m)
    expect(output).toMatch(/ in (?:test-?)?impolite-\w+ /i)
    expect(output).toMatch(/^Failing findings: early-retry\./m)
    expect(code).toBe(1)
    if (failOn === undefined) return
    const alone = await example.runInExec(failOn)
    expect(alone.output).toMatch(
      /ERROR at teardown of test_impolite[\s\S]*early-retry: \d refused calls[\s\S]*#7 GET /,
    )
    // What the ten tests expect fails nothing.
    expect(alone.output).toMatch(/11 passed, 1 error/)
  })

  test(`examples/${name}: a failed test prints its requests with their reasons`, {
    timeout,
  }, async context => {
    const example = open(language, context)
    example.write(language.failing)
    const { code, output } = await example.runInExec()
    expect(output).toMatch(/pet-mock: requests of/)
    expect(output).toMatch(/#1 GET \/v1\/pets 429 api_key_banned\n +The key may make 60 calls a minute/)
    expect(output).toMatch(
      /It is refused call number 10 since the last accepted one, which bans the key until/,
    )
    expect(code).not.toBe(0)
  })

  test(`examples/${name}: without a server, it says what to type`, { timeout }, async context => {
    const { code, output } = await open(language, context).runAlone()
    expect(output).toContain('npx pet-mock exec -- ')
    expect(passedIn(output, passed)).toEqual([])
    expect(code).not.toBe(0)
  })
}
