-- How luacheck reads the scripts of Redis: their first line binds the parameters, constants are written in capitals.
std = {
  read_globals = {
    'assert', 'error', 'ipairs', 'next', 'pairs', 'pcall', 'select', 'tonumber', 'tostring', 'type', 'unpack',
    'include', 'math', 'string', 'table', 'cjson', 'redis',
  },
}
max_line_length = 120
max_comment_line_length = 128
max_cyclomatic_complexity = 15
-- A constant, which the loader writes out or refuses.
ignore = { '113/^[A-Z][A-Z_]+$' }
