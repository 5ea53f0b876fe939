/* The exports of `pet-mock/vitest`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test as base, type RunnerTestCase, type TestAPI } from 'vitest'
import type { PetMock } from '../testing/pet-mock.ts'
import { checkVitest, installedVitest } from './check-vitest.ts'
import { nameOf, type SandboxFixtures, useSandbox, useServer } from './test-server.ts'

export interface PetMockFixtures extends SandboxFixtures {
  /** The server of the sandboxes: the suite's or this worker's. */
  readonly petMockServer: PetMock
}

checkVitest(installedVitest())

/** vitest's `test`, with a sandbox for each test. When a test fails, it prints the test's requests, and names the file of its box. */
export const test: TestAPI<PetMockFixtures> = base.extend<PetMockFixtures>({
  // The runner reads the names of fixtures from the pattern.
  petMockServer: [async ({}, use) => useServer(use), { scope: 'worker' }],
  petMockScenario: undefined,
  petMock: async ({ petMockServer: server, petMockScenario: scenario, task }, use) => {
    const hasFailed = () => task.result?.state === 'fail'
    await useSandbox(server, scenario, task.name, hasFailed, use, box => writeBox(box, task))
  },
})
/** The same as `test`. */
export const it = test

/** Git ignores it. */
const folder = '.pet-mock'

/** Writes the box of a failed test, over that of an earlier run, and names it in the failure. */
async function writeBox(box: Uint8Array, { id, name, result }: Readonly<RunnerTestCase>): Promise<void> {
  const file = join(folder, `${nameOf(name)}-${id}.petbox`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '.gitignore'), '*\n')
  await writeFile(file, box)
  for (const error of result?.errors?.slice(-1) ?? [])
    error.message += `\n\npet-mock: the calls of this test, to look at and to repeat: npx pet-mock box open ${file}`
}
