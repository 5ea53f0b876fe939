/**
 * Why Prism cannot judge or answer a call in this process; undefined if it can. Prism compiles schemas and paths to code,
 * which Node's --disallow-code-generation-from-strings forbids.
 */
export function explainNoCodeGeneration(): string | undefined {
  try {
    new Function('')
    return undefined
  } catch {
    return 'Node.js runs with --disallow-code-generation-from-strings, but calls are checked against a contract by generated code. Remove that option'
  }
}
