import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createReporter } from '../../../src/cli/log/reporter.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import { NotLoadable } from '../../../src/doors/server/own-files.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'

/** A reporter, and the lines on its stderr. */
function reporterWithLines() {
  const lines: string[] = []
  const stream = (write: (text: string) => void) => ({
    writableLength: 0,
    on: () => {},
    write: (text: string) => {
      write(text)
      return true
    },
  })
  const io: Io = {
    env: {},
    pid: 1,
    stdout: stream(() => {}),
    stderr: stream(text => lines.push(...text.trimEnd().split('\n'))),
    onSignal: () => {},
    isSentToAll: () => false,
    isInteractive: () => false,
    exit: () => {},
  }
  return { lines, reporter: createReporter('silent', io, createSecrets()) }
}

it('a part that cannot be loaded is one line for each call', () => {
  const { lines, reporter } = reporterWithLines()
  for (let made = 0; made < 3; made += 1) reporter.failure(new NotLoadable('The files changed. Restart it.'))
  expect(lines).toEqual(Array(3).fill('pet-mock failed: The files changed. Restart it.'))
})

it('a file of pet-mock that was never installed is named', () => {
  const { lines, reporter } = reporterWithLines()
  try {
    createRequire(import.meta.url)('./plane-0123.js')
  } catch (error) {
    reporter.failure(error)
  }
  expect(lines).toEqual([
    'pet-mock failed: The file plane-0123.js of pet-mock is missing. Install pet-mock again.',
  ])
})

it('the stack of a defect is printed once', () => {
  const { lines, reporter } = reporterWithLines()
  const defect = new Error('on fire')
  for (let made = 0; made < 3; made += 1) reporter.failure(defect)
  expect(lines[0]).toBe('pet-mock failed: Error: on fire')
  expect(lines.filter(line => /^ +at /.test(line)).length).toBeGreaterThan(2)
  expect(lines.slice(-2)).toEqual(Array(2).fill('pet-mock failed: on fire'))
  reporter.failure(new Error('another'))
  expect(lines.at(-1)).toMatch(/^ +at /)
})

it('many different defects are remembered in bounded memory', () => {
  const { lines, reporter } = reporterWithLines()
  for (let made = 0; made < 250; made += 1) reporter.failure(new Error(`number ${made}`))
  expect(lines.filter(line => line.startsWith('pet-mock failed: Error: number ')).length).toBe(250)
})
