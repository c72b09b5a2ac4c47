package diag

var declRules = []Rule{}
