import { expect, test } from 'vitest'
import { defaultFailOn, failsOn } from '../../../src/judges/report/finding.ts'
import { writeJUnit } from '../../../src/judges/report/junit.ts'
import { junitBreaches } from '../../support/junit-schema.ts'
import { readXml, type XmlElement } from '../../support/read-xml.ts'
import { hostile, reportOfAll } from '../../support/reports.ts'

const casesOf = (root: XmlElement) =>
  root.children.flatMap(({ children }) => children).filter(({ name }) => name === 'testcase')

test.each([
  ['plain texts', 'plain'],
  ['texts that look like XML', hostile],
])('it follows the schema of Jenkins: %s', (_, text) => {
  const root = readXml(writeJUnit([reportOfAll(text), reportOfAll(text)], failsOn(defaultFailOn)))
  expect(junitBreaches(root)).toEqual([])
  expect(root.name).toBe('testsuites')
})

test('the schema check finds a case without a name and a failure of a suite', () => {
  const root = readXml(
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite tests="1" errors="x"><failure/><testcase/></testsuite></testsuites>\n',
  )
  expect(junitBreaches(root)).toEqual([
    'testsuite has no name',
    'testsuite has no failures',
    'errors of testsuite is not a number',
    'failure in testsuite',
    'testcase has no name',
  ])
})

test.each([
  ['error', new Map(), ['early-retry']],
  ['warning', new Map(), ['early-retry', 'unknown-parameter']],
  ['never', new Map(), []],
  ['never', new Map([['off-the-list', true]]), ['off-the-list']],
  ['warning', new Map([['early-retry', false]]), ['unknown-parameter']],
] as const)('the cases that fail on %s and %j', (level, ids, failing) => {
  const root = readXml(writeJUnit([reportOfAll()], failsOn({ level, ids })))
  const failed = casesOf(root).filter(({ children }) => children.some(({ name }) => name === 'failure'))
  expect(failed.map(({ attributes }) => attributes.name?.split(':')[0])).toEqual(failing)
  expect(root.attributes).toMatchObject({ tests: '7', failures: `${failing.length}`, errors: '0' })
  expect(root.children[0]?.attributes).toMatchObject({
    tests: '7',
    failures: `${failing.length}`,
    skipped: failing.some(id => id === 'early-retry') ? '2' : '3',
  })
})

test('a case lists its calls and counts the others', () => {
  const [first] = casesOf(readXml(writeJUnit([reportOfAll()], failsOn(defaultFailOn))))
  expect(first?.children[0]?.text).toContain(
    'GET /v1/pets → 429 · 58.2 s before Retry-After was over · 2026-03-02T09:00:01Z · #17 in worker-3 · demo-f… plain\ncurl plain\n',
  )
  expect(first?.children[0]?.text).toContain('and 10 more\nWait plain\nSource: Specification plain')
})
