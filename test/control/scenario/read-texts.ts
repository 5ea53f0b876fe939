import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { readScenario } from '../../../src/control/scenario/read/read.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'

/** Reads the first of some files; the others are what it may extend. */
export function readTexts(texts: Readonly<Record<string, string>>, fixtures = shippedFixtures) {
  const [first = ''] = Object.keys(texts)
  const readText = async (path: string) => {
    const text = texts[path]
    if (text === undefined) throw new Error('no such file')
    return text
  }
  return readScenario(first, { readText, fixtures, shipped: shippedScenarios })
}
