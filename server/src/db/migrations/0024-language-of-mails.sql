-- The address of a channel belongs to nobody, so its owner says in which language it is written to. Where an operator has given the type
-- a schema of their own, that stays as it is.
update channel_types set extra_config = jsonb_set(extra_config, '{configSchema,properties,locale}',
  '{"type": "string", "enum": ["en", "zh-CN"], "title": "Language", "description": "Of the e-mails; that of who sets the channel up, unless given"}')
where type_code = 'EMAIL' and extra_config #> '{configSchema,properties}' =
  '{"to": {"type": "string", "format": "email", "maxLength": 254, "title": "E-mail address"}}';
