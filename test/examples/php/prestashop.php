<?php
/**
 * Runs the PrestaShop module on stand-ins of PrestaShop's classes. Reads from standard input a list of calls, and prints
 * the result of each, as JSON: {"set": {…}}, {"post": {…}}, "head", "install", "uninstall", {"cookie": "…", "vendor": "…"}.
 */

define('_PS_VERSION_', '9.0.0');

class Configuration
{
    public static array $values = [];

    public static function get($name)
    {
        return self::$values[$name] ?? false;
    }

    public static function updateValue($name, $value)
    {
        self::$values[$name] = $value;

        return true;
    }

    public static function deleteByName($name)
    {
        unset(self::$values[$name]);

        return true;
    }
}

class Tools
{
    public static array $post = [];

    public static function isSubmit($name)
    {
        return isset(self::$post[$name]);
    }

    public static function getValue($name, $default = false)
    {
        return self::$post[$name] ?? $default;
    }

    public static function getAdminTokenLite($tab)
    {
        return 'token-of-' . $tab;
    }
}

class Hook
{
    public static function getIdByName($name)
    {
        return $name === 'displayHeader' ? 7 : 0;
    }
}

class AdminController
{
    public static $currentIndex = 'index.php?controller=AdminModules';
}

class HelperForm
{
    public array $fields_value = [];
    public $module;
    public $submit_action;
    public $currentIndex;
    public $token;
    public $default_form_language;

    public function generateForm(array $forms)
    {
        return json_encode([$this->token, $this->fields_value, array_column($forms[0]['form']['input'], 'name')]);
    }
}

class Module
{
    public $name;
    public $tab;
    public $version;
    public $author;
    public $need_instance;
    public $bootstrap;
    public $ps_versions_compliancy;
    public $displayName;
    public $description;
    public array $calls = [];

    public function __construct()
    {
    }

    public function install()
    {
        return true;
    }

    public function uninstall()
    {
        return true;
    }

    public function registerHook($name)
    {
        $this->calls[] = "registerHook $name";

        return true;
    }

    public function updatePosition($hook, $way, $position)
    {
        $this->calls[] = 'updatePosition ' . json_encode([$hook, $way, $position]);

        return false;
    }

    public function trans($text)
    {
        return $text;
    }

    public function displayError($text)
    {
        return "error: $text ";
    }

    public function displayConfirmation($text)
    {
        return "done: $text ";
    }
}

require __DIR__ . '/../../../integrations/prestashop/avow/avow.php';

$module = new Avow();
$run = function ($call) use ($module) {
    if ($call === 'head') {
        return $module->hookDisplayHeader();
    }
    if ($call === 'install') {
        return [$module->install(), $module->calls];
    }
    if ($call === 'uninstall') {
        return [$module->uninstall(), Configuration::$values];
    }
    if (isset($call['set'])) {
        Configuration::$values = $call['set'];

        return null;
    }
    if (isset($call['post'])) {
        Tools::$post = $call['post'];

        return [$module->getContent(), Configuration::$values];
    }
    $_COOKIE = ['axeptio_cookies' => $call['cookie']];

    return Avow::hasConsent($call['vendor']);
};
echo json_encode(array_map($run, json_decode(stream_get_contents(STDIN), true)));
