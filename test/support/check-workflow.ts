import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { directoryWith } from './directory.ts'

/** What GitHub's own parser finds wrong with the workflow in a file. */
export async function checkWorkflow(path: string): Promise<readonly string[]> {
  // It imports JSON as bundlers take it, and Node does not.
  const bundle = await rolldown({ input: '@actions/workflow-parser', platform: 'node' })
  const parserFile = join(directoryWith({}), 'parser.mjs')
  await bundle.write({ file: parserFile, format: 'esm' })
  await bundle.close()
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow }: Parser = await import(
    pathToFileURL(parserFile).href
  )
  const file = { name: path, content: readFileSync(path, 'utf8') }
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

type Parser = typeof import('@actions/workflow-parser')
