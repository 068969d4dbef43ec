#!lua flags=allow-oom
-- Announces a gateway, with the time in front.
local gateways, node, announcement = ...
local now = include('kit/now')

return redis.call('HSET', gateways, node, string.format('%.0f', now) .. ' ' .. announcement)
