interface Process {
  readonly versions?: { readonly node?: string }
  readonly getBuiltinModule?: (name: 'node:module') => {
    /** Reads a package.json. Any field may be missing. */
    readonly createRequire: (
      from: string,
    ) => (name: string) => { readonly version?: string; readonly engines?: { readonly node?: string } }
  }
}

/** Why the installed MSW does not work on this Node; undefined if it does, or in a browser. */
export function explainOldNode(
  { versions, getBuiltinModule }: Process = (globalThis as { readonly process?: Process }).process ?? {},
  from: string = import.meta.url,
): string | undefined {
  const node = versions?.node
  const required = node === undefined ? undefined : requiredNode(getBuiltinModule, from)
  if (node === undefined || required === undefined) return undefined
  if (node.localeCompare(required.node, 'en', { numeric: true }) >= 0) return undefined
  return `pet-mock: MSW ${required.msw} needs Node ${required.node} or newer, and this is Node ${node}. Update Node, or install msw@2.`
}

function requiredNode(getBuiltinModule: Process['getBuiltinModule'], from: string) {
  try {
    const msw = getBuiltinModule?.('node:module').createRequire(from)('msw/package.json')
    const [, node] = /^>=(\d+(?:\.\d+)*)$/.exec(msw?.engines?.node ?? '') ?? []
    return node === undefined ? undefined : { msw: `${msw?.version}`, node }
  } catch {
    // A bundle has no packages beside it.
    return undefined
  }
}
