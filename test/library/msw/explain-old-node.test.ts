import { getBuiltinModule } from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { explainOldNode } from '../../../src/library/msw/explain-old-node.ts'
import { directoryWith } from '../../support/directory.ts'

const packageOf = (version: string, node: string) => JSON.stringify({ version, engines: { node } })

it.each<[msw: string, required: string, node: string, isOld: boolean]>([
  ['3.0.5', '>=22.12.0', '20.20.2', true],
  ['3.0.5', '>=22.12.0', '22.11.9', true],
  ['3.0.5', '>=22.12.0', '22.12.0', false],
  ['3.0.5', '>=22.12.0', '24.0.0', false],
  ['2.15.0', '>=18', '20.20.2', false],
])('MSW %s, which needs Node %s, on Node %s', (msw, required, node, isOld) => {
  const folder = directoryWith({ 'node_modules/msw/package.json': packageOf(msw, required) })
  const from = pathToFileURL(`${folder}/app.js`).href
  const told = explainOldNode({ versions: { node }, getBuiltinModule }, from)
  const message = `pet-mock: MSW ${msw} needs Node 22.12.0 or newer, and this is Node ${node}. Update Node, or install msw@2.`
  expect(told).toBe(isOld ? message : undefined)
})

it('says nothing in a browser, or without MSW beside it', () => {
  expect(explainOldNode({})).toBeUndefined()
  const nowhere = { versions: { node: '18.0.0' }, getBuiltinModule }
  expect(explainOldNode(nowhere, pathToFileURL(`${directoryWith({})}/app.js`).href)).toBeUndefined()
})
