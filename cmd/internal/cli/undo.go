package cli

import "github.com/spf13/cobra"

func undoVerb(e *env) *cobra.Command {
	return e.timeVerb(toolVerb{
		tool: "undo", use: "undo", short: "take back the last edit of Pluto files",
		long: "Take back the last edit that sett made of Pluto files. Files that somebody else changed meanwhile are\n" +
			"not touched, and then nothing is.",
		example: "  sett undo",
	})
}

func redoVerb(e *env) *cobra.Command {
	return e.timeVerb(toolVerb{
		tool: "redo", use: "redo", short: "bring back the edit that undo took back",
		long: "Bring back the edit that `sett undo` took back last.", example: "  sett redo",
	})
}

func historyVerb(e *env) *cobra.Command {
	return e.timeVerb(toolVerb{
		tool: "history", use: "history", short: "list the edits of Pluto files, the latest first",
		long:    "List the edits that sett made of Pluto files, the latest first, with the files that they changed.",
		example: "  sett history --limit 5",
	})
}

func (e *env) timeVerb(v toolVerb) *cobra.Command {
	cmd := e.toolCommand(v)
	cmd.GroupID = groupPluto
	return cmd
}
